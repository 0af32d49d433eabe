import Glibc

/// A program in a real terminal: tmux, on a socket of its own.
///
/// The program runs without a shell, so the pane's process is the program. tmux itself continues a stopped program: to
/// test Ctrl-Z, run an interactive shell and type the program's name. The session ends at the end of its scope.
package final class TerminalSession: ScreenSource {
    private let socket: String
    /// The arguments that name the pane to tmux.
    private let target: [String]
    /// A client in tmux's control mode, which executes all commands: a process for each would take most of a test's time,
    /// above all in the guest. It is attached to a session of its own, so the program's has only the clients of the test.
    private let client: ChildProcess?
    /// Of the program's files: as long as the program runs they are there.
    private let folder: ScratchFolder?
    private var isOpen: Bool

    /// Starts a program in a terminal. `environment` is in addition to this process's own and tmux's (TERM, TMUX,
    /// TMUX_PANE); nil removes a variable. `options` are tmux options that are set before the program starts.
    package init(
        _ command: [String], columns: Int = 80, rows: Int = 24, environment: [String: String?] = [:],
        options: [String: String] = [:], keeping folder: ScratchFolder? = nil
    ) throws {
        self.folder = folder
        socket = "/tmp/counter-test-\(getpid())-\(UInt32.random(in: .min ... .max))"
        target = ["-t", "=\(Self.name):"]
        client = try ChildProcess(
            ["tmux", "-u", "-C", "-S", socket, "-f", "/dev/null"]
                + ["new-session", "-s", "control", "sleep", "infinity"],
            environment: ["TMUX": nil])
        isOpen = true
        let fixed = [
            // Keep the pane after the program has ended, because the test then reads it, and give all rows to the
            // program.
            "remain-on-exit": "on", "remain-on-exit-format": "", "status": "off",
            // Keys follow one another without a delay; none is part of an Alt combination.
            "escape-time": "0", "default-size": "\(columns)x\(rows)",
        ]
        for (option, value) in fixed.merging(options, uniquingKeysWith: { $1 }) {
            try tmux(["set", "-g", option, value])
        }
        let variables = ["LANG": "C.UTF-8"].merging(environment, uniquingKeysWith: { $1 })
        let start = ["new-session", "-d", "-s", Self.name, "-x", "\(columns)", "-y", "\(rows)", "env"]
        try tmux(
            start + variables.filter { $1 == nil }.flatMap { ["-u", $0.key] }
                + variables.compactMap { name, value in value.map { "\(name)=\($0)" } } + command)
    }

    /// A pane in a tmux server that the caller has started and ends; the pane has `remain-on-exit` and `escape-time` as
    /// here.
    package init(pane: String, socket: String) {
        self.socket = socket
        target = ["-t", pane]
        (client, folder) = (nil, nil)
        isOpen = false
    }

    deinit { close() }

    /// tmux's name of the program's session.
    private static let name = "0"

    /// Ends the terminal and all programs in it.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        let programs = (try? process.ours) ?? []
        _ = try? tmux(["kill-server"])
        _ = try? client?.wait(timeout: .seconds(10))
        client?.end()
        unlink(socket)
        awaitEnd(of: programs)
    }
}

// MARK: - Commands of tmux

extension TerminalSession {
    /// Executes a command of tmux, and returns its output.
    @discardableResult
    private func tmux(_ words: [String]) throws -> String {
        if let client { return try Self.execute(words, by: client) }
        let outcome = try ChildProcess.run(
            ["tmux", "-u", "-S", socket, "-f", "/dev/null"] + words, environment: ["TMUX": nil])
        guard outcome.status == .exited(0) else {
            throw SupportError.refused(by: "tmux \(words[0])", why: outcome.errors)
        }
        return outcome.output
    }

    /// The output of a command is between a line `%begin TIME NUMBER 1` and `%end` or `%error` with the same numbers; other
    /// lines are notifications (CONTROL MODE in tmux(1)).
    private static func execute(_ words: [String], by client: ChildProcess) throws -> String {
        try client.write(words.map(quoted).joined(separator: " ") + "\n")
        var output = ""
        var numbers: Substring?
        while let line = try client.readLine() {
            if let numbers {
                if line == "%end\(numbers)" { return output }
                if line == "%error\(numbers)" {
                    throw SupportError.refused(by: "tmux \(words[0])", why: output)
                }
                output += line + "\n"
            } else if line.hasPrefix("%begin "), line.hasSuffix(" 1") {
                numbers = line.dropFirst("%begin".count)
            }
        }
        throw SupportError.refused(by: "tmux \(words[0])", why: "the server has ended")
    }

    /// A word of tmux's command language, with all but letters, digits and some others in octal.
    private static func quoted(_ word: String) -> String {
        let bytes = word.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII && scalar.properties.isAlphabetic
                || "0123456789-_=:./".unicodeScalars.contains(scalar)
            {
                return String(scalar)
            }
            let octal = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - octal.count) + octal
        }
        return "\"\(bytes.joined())\""
    }

    /// The value of one of tmux's format variables.
    private func value(_ name: String) throws -> String {
        String(try tmux(["display-message", "-p"] + target + ["#{\(name)}"]).dropLast())
    }
}

// MARK: - Programs

extension TerminalSession {
    /// Ends the program in the terminal by SIGHUP, and starts another one.
    package func respawn(_ command: [String]) throws {
        try tmux(["respawn-pane", "-k"] + target + command)
    }
}

// MARK: - Reading

extension TerminalSession {
    package func screen() throws -> Screen { try screen(colours: false) }

    /// The terminal's present content.
    package func screen(colours: Bool) throws -> Screen {
        let text = try tmux(["capture-pane", "-p"] + target + (colours ? ["-e"] : []))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return Screen(lines: lines.map(String.init))
    }

    package var title: String { get throws { try value("pane_title") } }

    /// What rings may come after what is shown: the ringer tells later that nothing can be heard.
    package func waitForBell() throws { try eventually("the bell") { try value("window_bell_flag") == "1" } }

    package var size: (columns: Int, rows: Int) {
        get throws { (Int(try value("pane_width")) ?? 0, Int(try value("pane_height")) ?? 0) }
    }

    /// The modes that a full-screen program sets, and must reset at its end.
    package struct Modes: Equatable, Sendable {
        package var isAlternateScreen: Bool
        package var hasCursor: Bool
        package var reportsMouse: Bool

        package static let shell = Modes(isAlternateScreen: false, hasCursor: true, reportsMouse: false)

        package static let fullScreen = Modes(isAlternateScreen: true, hasCursor: false, reportsMouse: true)
    }

    package var modes: Modes {
        get throws {
            let names = ["alternate_on", "cursor_flag", "mouse_any_flag"]
            let flags = try value(names.joined(separator: "}#{")).map { $0 == "1" }
            return Modes(isAlternateScreen: flags[0], hasCursor: flags[1], reportsMouse: flags[2])
        }
    }

    private var server: RunningProcess {
        get throws { RunningProcess(pid: pid_t(try value("pid")) ?? 0) }
    }

    package var process: RunningProcess {
        get throws { RunningProcess(pid: pid_t(try value("pane_pid")) ?? 0) }
    }

    package func waitForExit(timeout: Duration = testTimeout) throws -> ExitStatus {
        let last = { (try? self.screen().description) ?? "nothing" }
        return try eventualValue("the program to end", timeout: timeout, last: last) {
            guard try value("pane_dead") == "1" else { return nil }
            if let signal = Int32(try value("pane_dead_signal")) { return .killed(signal) }
            if let code = Int32(try value("pane_dead_status")) { return .exited(code) }
            // tmux's utempter ignores SIGCHLD while it runs, so tmux may miss one: send it again.
            try server.signal(SIGCHLD)
            return nil
        }
    }
}

// MARK: - Input

extension TerminalSession {
    package func type(_ text: String) throws { try send(bytes: Array(text.utf8)) }

    /// Answers what `counter practice` asks at its first start: the player is Mia.
    package func addFirstPlayer() throws {
        for (question, answer) in [
            ("choose a PIN", "1234"), ("once more", "1234"), ("Shall it speak?", "-"),
            ("player's name", "Mia"),
        ] {
            try waitForText(question)
            try type(answer + "\r")
        }
    }

    /// Presses keys, named as in tmux: `C-z`, `Enter`, `Up`, `BTab`.
    package func sendKey(_ names: String...) throws { try tmux(["send-keys"] + target + names) }

    /// Sends bytes as if the terminal had sent them.
    package func send(bytes: [UInt8]) throws {
        let digits = bytes.map { String($0, radix: 16) }
        if !digits.isEmpty { try tmux(["send-keys", "-H"] + target + digits) }
    }

    /// Clicks the left mouse button, reported as SGR sequences whether or not the program has enabled them.
    package func click(column: Int, row: Int) throws { try click([(column, row)]) }

    /// Clicks on several places, one after the other; each call of tmux takes some 20 ms.
    package func click(_ places: [(column: Int, row: Int)]) throws {
        let reports = places.map { "\u{1B}[<0;\($0.column + 1);\($0.row + 1)" }
        try type(reports.map { $0 + "M" + $0 + "m" }.joined())
    }

    /// Attaches a client to tmux, in a terminal of its own; it stays attached until ``detach()`` or until it ends.
    package func attach() throws(SupportError) -> ChildProcess {
        try ChildProcess(
            ["tmux", "-u", "-S", socket, "attach", "-t", "=\(Self.name)"],
            environment: ["TMUX": nil, "TERM": "xterm-256color"],
            streams: .terminal(columns: 80, rows: 24))
    }

    /// Detaches all clients from the program's session.
    package func detach() throws { try tmux(["detach-client", "-s", "=\(Self.name)"]) }

    /// Reports that the terminal has gained or lost the focus, whether or not the program has enabled focus reports.
    package func report(focus: Bool) throws { try type(focus ? "\u{1B}[I" : "\u{1B}[O") }

    /// Removes the terminal without warning, as a broken connection does.
    package func vanish() throws { try server.signal(SIGKILL) }

    package func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window"] + target + ["-x", "\(columns)", "-y", "\(rows)"])
    }
}

package struct Screen: Equatable, Sendable, CustomStringConvertible {
    /// The lines from the top, without trailing spaces. With colours, they contain escape sequences.
    package let lines: [String]

    package func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    /// Which card `counter practice` shows, and how many there are. It is drawn after all that is above it.
    package var position: (number: Int, count: Int)? {
        lines.lazy.compactMap { $0.wholeMatch(of: /^ *(\d+) of (\d+) *$/) }.first
            .flatMap { match in Int(match.1).flatMap { number in Int(match.2).map { (number, $0) } } }
    }

    /// The pips of the dice that `counter practice` shows, where they are large.
    package var pips: Int { lines.reduce(0) { $0 + $1.ranges(of: "▟██▙").count } }

    /// The dots that it shows, one for each press.
    package var dots: Int { lines.joined().count { $0 == "●" } }

    /// The lines, each between bars.
    package var description: String { lines.map { "│\($0)│" }.joined(separator: "\n") }
}

package protocol ScreenSource {
    func screen() throws -> Screen
}

extension ScreenSource {
    @discardableResult
    package func waitForScreen(
        _ what: String, timeout: Duration = testTimeout, _ isWanted: (Screen) throws -> Bool
    ) throws -> Screen {
        var last: Screen?
        return try eventualValue(
            what, timeout: timeout, poll: .milliseconds(10), last: { last?.description ?? "nothing" }
        ) {
            let screen = try screen()
            last = screen
            return try isWanted(screen) ? screen : nil
        }
    }

    /// Waits until the screen contains a text; see ``waitForScreen(_:timeout:_:)``.
    @discardableResult
    package func waitForText(_ text: String, timeout: Duration = testTimeout) throws -> Screen {
        try waitForScreen("'\(text)'", timeout: timeout) { $0.contains(text) }
    }
}
