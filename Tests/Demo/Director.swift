import Glibc
import Linux
import TestSupport

/// Plays all scenes and checks the result of each.
final class Director {
    private static let width = Scene.all.map(\.pressed.count).max() ?? 0

    private let terminal: TerminalSession
    private let player: Player
    private let narrator: Narrator?
    private var count = 0
    private var results: [Bool] = []

    init(_ terminal: TerminalSession, narrator: Narrator?) throws {
        self.terminal = terminal
        self.narrator = narrator
        player = try Player(terminal)
    }

    /// Plays all scenes, with a line on standard output for each.
    func run() throws -> Bool {
        defer { player.end() }
        try terminal.waitForText("Count 0", timeout: .seconds(60))
        let scenes = Scene.all.filter { player.hasKeyboard || !$0.steps.contains { $0.device == .keyboard } }
        for (index, scene) in scenes.enumerated() {
            let expected = scene.expected(before: count)
            narrator?.announce(scene, number: index + 1, of: scenes.count, expected: expected.words)
            tell(outcome(of: scene, expected: expected))
        }
        for scene in Scene.all where !scenes.map(\.title).contains(scene.title) {
            say("skipped \(scene.pressed): there is no keyboard here that can be pressed from outside")
        }
        tell(try end())
        let passed = results.count { $0 }
        say("\(passed) passed, \(results.count - passed) failed")
        return passed == results.count
    }

    /// A demo that is interrupted has shown everything up to then.
    private func say(_ line: String) { try? Output.write(line + "\n", to: STDOUT_FILENO) }

    private func tell(_ outcome: Outcome) {
        results.append(outcome.isPassed)
        say(outcome.line(width: Self.width))
        narrator?.report(outcome)
    }
}

// MARK: - One scene

extension Director {
    private func outcome(of scene: Scene, expected: Finding) -> Outcome {
        let actual: String
        do {
            for step in scene.steps { try player.perform(step) }
            actual = try finding(after: scene, expected: expected).words
        } catch { actual = "\(error)" }
        return Outcome(pressed: scene.pressed, expected: expected.words, actual: actual)
    }

    /// What is observed once the screen is as expected, or at the timeout.
    private func finding(after scene: Scene, expected: Finding) throws -> Finding {
        _ = try? terminal.waitForScreen(expected.screen, timeout: .seconds(5)) {
            words(on: $0) == expected.screen
        }
        let device = scene.steps.compactMap(\.device).last
        let seen = try device.map { try player.seen(on: $0).words } ?? "nothing"
        let shown = try show()
        count = Int(shown) ?? count
        // The screen is read last, so that surplus counts have arrived.
        return Finding(screen: words(on: try terminal.screen()), show: shown, seen: seen)
    }

    /// The count and the last change, such as `Count 2, -1`, from the line under the number.
    private func words(on screen: Screen) -> String {
        let caption = screen.lines.compactMap { $0.wholeMatch(of: /.*(Count -?\d+)   (\S+) at .*/) }.last
        return caption.map { "\($0.1), \($0.2)" } ?? "no count"
    }

    /// What `counter show` prints.
    private func show() throws -> String {
        String(try ChildProcess.run([BuiltProducts.counter, "show"]).output.dropLast())
    }
}

// MARK: - The end

extension Director {
    /// Ends the program, or waits until the user does; afterwards other programs receive the keys again.
    private func end() throws -> Outcome {
        if let narrator {
            try narrator.handOver()
            let program = try terminal.process
            while program.isAlive { pause(.milliseconds(100)) }
        } else {
            try terminal.type("q")
        }
        let status = try terminal.waitForExit()
        _ = try player.seen(on: .remote)
        let expected = Finding(screen: "\(ExitStatus.exited(0))", show: try show(), seen: "volume up")
        try player.press(.volumeUp, on: .remote)
        let seen = try player.seen(on: .remote).words
        let actual = Finding(screen: "\(status)", show: try show(), seen: seen)
        return Outcome(
            pressed: "q typed, volume up on \(Device.remote.rawValue)", expected: expected.words,
            actual: actual.words)
    }
}
