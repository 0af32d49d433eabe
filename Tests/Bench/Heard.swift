import TestSupport

/// From what a user does to what is heard and seen of it.
enum Heard {
    static func keyToTone(_ presses: Int, _ sink: SoundSink) throws -> Samples {
        try keyToSound(presses, sink, ["--sound", "up"])
    }

    /// From a typed key to the first word of the count, by the real speech-dispatcher.
    static func keyToWord(_ presses: Int, _ sink: SoundSink) throws -> Samples {
        try keyToSound(presses, sink, ["--speech", "each"])
    }

    private static func keyToSound(
        _ presses: Int, _ sink: SoundSink, _ options: [String]
    ) throws -> Samples {
        let program = try Subject.screens(options, environment: sink.environment, readyAt: "Count 0").program
        defer { program.end() }
        // The first key starts the ringer, and the speech server.
        let all = try samples(presses + 1, sink) { _ in
            try program.write("+")
            return program
        }
        return Samples(Array(all.dropFirst()))
    }

    /// From the start of paplay to the sound of a short file.
    static func paplayToTone(_ rounds: Int, _ sink: SoundSink) throws -> Samples {
        let folder = try ScratchFolder()
        try folder.write("tone", String(repeating: "zzzzzzzzzzzzzzzz@@@@@@@@@@@@@@@@", count: 200))
        return Samples(
            try samples(rounds, sink) { _ in
                try ChildProcess(
                    ["paplay", "--raw", "--channels=1", folder.path(of: "tone")],
                    environment: sink.environment)
            })
    }

    /// From the start of spd-say to the first word.
    static func spdSayToWord(_ rounds: Int, _ sink: SoundSink) throws -> Samples {
        Samples(
            try samples(rounds, sink) {
                try ChildProcess(["spd-say", "\($0)"], environment: sink.environment)
            })
    }

    private static func samples(
        _ rounds: Int, _ sink: SoundSink, _ begin: (Int) throws -> ChildProcess
    ) throws -> [Duration] {
        try (1...rounds).map { number in
            try sink.awaitSilence()
            let start = ContinuousClock.now
            let program = try begin(number)
            return try withExtendedLifetime(program) { try sink.nextSound() - start }
        }
    }

    /// From Enter in one program to the line of another, and to the end of the desktop's notification.
    static func acknowledgement(
        _ rounds: Int, _ desktop: TestDesktop
    ) throws -> (line: Samples, notification: Samples) {
        let place = try Workplace(
            environment: desktop.environment.merging(["COUNTER_DEVICE": "/dev/input/none"]) { $1 })
        let follower = try place.following()
        defer { follower.end() }
        let program = try place.openUnseen()
        defer { program.end() }
        try program.skipOutput(past: "Count 0")
        var (lines, notifications): ([Duration], [Duration]) = ([], [])
        for _ in 1...rounds {
            try place.run("timer", "start", "1s", "Robins")
            while try !desktop.call().hasPrefix("notify ") {}
            while let line = try follower.readLine(), !line.contains("timerEnd") {}
            // The screens have noticed it too.
            pause(.milliseconds(300))
            try program.takeOutput()
            let start = ContinuousClock.now
            try program.write("\r")
            while let line = try follower.readLine(), !line.contains("acknowledged") {}
            lines.append(.now - start)
            while try !desktop.call().hasPrefix("close ") {}
            notifications.append(.now - start)
        }
        return (Samples(lines), Samples(notifications))
    }

    /// From the start of dbus-send to the call that the notification server receives.
    static func busCall(_ rounds: Int, _ desktop: TestDesktop) throws -> Samples {
        Samples(
            try (1...rounds).map { _ in
                let start = ContinuousClock.now
                let name = "org.freedesktop.Notifications"
                _ = try ChildProcess.run(
                    [
                        "dbus-send", "--session", "--type=method_call", "--dest=\(name)",
                        "/org/freedesktop/Notifications",
                        "\(name).CloseNotification", "uint32:7",
                    ], environment: desktop.environment)
                while try desktop.call() != "close 7" {}
                return .now - start
            })
    }
}
