import Glibc

/// A program in a real terminal: tmux, on a socket of its own.
///
/// The program runs without a shell, so the pane's process is the program. tmux itself continues a stopped program: to
/// test Ctrl-Z, run an interactive shell and type the program's name. End the session with `defer { session.close() }`,
/// which also keeps it alive until then.
package final class TerminalSession: ScreenSource {
    private let socket: String
    /// The arguments that name the pane to tmux; empty where there is only one.
    private let target: [String]
    private var isOpen: Bool

    /// Starts a program in a terminal.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - columns: The width.
    ///   - rows: The height.
    ///   - environment: Variables in addition to this process's own and tmux's (TERM, TMUX, TMUX_PANE); nil removes one.
    ///   - options: tmux options that are set before the program starts, such as `["focus-events": "on"]`.
    /// - Throws: ``SupportError``.
    package init(
        _ command: [String], columns: Int = 80, rows: Int = 24, environment: [String: String?] = [:],
        options: [String: String] = [:]
    ) throws {
        socket = "/tmp/counter-test-\(getpid())-\(UInt32.random(in: .min ... .max))"
        target = []
        isOpen = true
        let fixed = [
            // Keep the pane after the program has ended, because the test then reads it, and give all rows to the
            // program.
            "remain-on-exit": "on", "remain-on-exit-format": "", "status": "off",
            // Keys follow one another without a delay; none is part of an Alt combination.
            "escape-time": "0", "default-size": "\(columns)x\(rows)",
        ]
        var call = ["start-server"]
        for (option, value) in fixed.merging(options, uniquingKeysWith: { $1 }) {
            call += [";", "set", "-g", option, value]
        }
        let variables = ["LANG": "C.UTF-8"].merging(environment, uniquingKeysWith: { $1 })
        call += [";", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "env"]
        call += variables.filter { $1 == nil }.flatMap { ["-u", $0.key] }
        try tmux(call + variables.compactMap { name, value in value.map { "\(name)=\($0)" } } + command)
    }

    /// A pane in a tmux server that the caller has started and ends; the pane has `remain-on-exit` and `escape-time` as
    /// here.
    ///
    /// - Parameters:
    ///   - pane: tmux's name of the pane.
    ///   - socket: The path of tmux's socket.
    package init(pane: String, socket: String) {
        self.socket = socket
        target = ["-t", pane]
        isOpen = false
    }

    deinit { close() }

    /// Ends the terminal and all programs in it.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        let programs = (try? process.ours) ?? []
        _ = try? tmux(["kill-server"])
        unlink(socket)
        awaitEnd(of: programs)
    }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        // -u: UTF-8, whatever this process's locale is.
        let outcome = try ChildProcess.run(
            ["tmux", "-u", "-S", socket, "-f", "/dev/null"] + arguments, environment: ["TMUX": nil])
        guard outcome.status == .exited(0) else {
            throw SupportError.refused(by: "tmux \(arguments[0])", why: outcome.errors)
        }
        return outcome.output
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
    /// The terminal's present content.
    package func screen() throws -> Screen { try screen(colours: false) }

    /// The terminal's present content.
    ///
    /// - Parameter colours: Whether to include the escape sequences of colours and attributes.
    /// - Returns: All lines.
    /// - Throws: ``SupportError``.
    package func screen(colours: Bool) throws -> Screen {
        let text = try tmux(["capture-pane", "-p"] + target + (colours ? ["-e"] : []))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return Screen(lines: lines.map(String.init))
    }

    /// The terminal's title, as the program set it.
    package var title: String { get throws { try value("pane_title") } }

    /// Whether the bell has rung.
    package var hasRung: Bool { get throws { try value("window_bell_flag") == "1" } }

    /// The size, in columns and rows.
    package var size: (columns: Int, rows: Int) {
        get throws { (Int(try value("pane_width")) ?? 0, Int(try value("pane_height")) ?? 0) }
    }

    /// The modes that a full-screen program sets, and must reset at its end.
    package struct Modes: Equatable, Sendable {
        /// The alternate screen is shown.
        package var isAlternateScreen: Bool
        /// The cursor is visible.
        package var hasCursor: Bool
        /// Clicks are reported.
        package var reportsMouse: Bool

        /// The modes of a shell.
        package static let shell = Modes(isAlternateScreen: false, hasCursor: true, reportsMouse: false)

        /// The modes that our program sets.
        package static let fullScreen = Modes(isAlternateScreen: true, hasCursor: false, reportsMouse: true)
    }

    /// The present modes.
    package var modes: Modes {
        get throws {
            let names = ["alternate_on", "cursor_flag", "mouse_any_flag"]
            let flags = try value(names.joined(separator: "}#{")).map { $0 == "1" }
            return Modes(isAlternateScreen: flags[0], hasCursor: flags[1], reportsMouse: flags[2])
        }
    }

    /// Whether the alternate screen is shown.
    package var isAlternateScreen: Bool { get throws { try value("alternate_on") == "1" } }

    private var server: RunningProcess {
        get throws { RunningProcess(pid: pid_t(try value("pid")) ?? 0) }
    }

    /// The process in the terminal.
    package var process: RunningProcess {
        get throws { RunningProcess(pid: pid_t(try value("pane_pid")) ?? 0) }
    }

    /// Waits until the program has ended.
    ///
    /// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``, with the last screen.
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
    /// Types a text unchanged.
    package func type(_ text: String) throws { try send(bytes: Array(text.utf8)) }

    /// Presses a key, named as in tmux: `C-z`, `Enter`, `Up`, `BTab`.
    package func sendKey(_ name: String) throws { try tmux(["send-keys"] + target + [name]) }

    /// Sends bytes as if the terminal had sent them.
    package func send(bytes: [UInt8]) throws {
        let digits = bytes.map { String($0, radix: 16) }
        if !digits.isEmpty { try tmux(["send-keys", "-H"] + target + digits) }
    }

    /// Clicks the left mouse button, reported as SGR sequences whether or not the program has enabled them.
    ///
    /// - Parameters:
    ///   - column: From 0 at the left.
    ///   - row: From 0 at the top.
    /// - Throws: ``SupportError``.
    package func click(column: Int, row: Int) throws { try click([(column, row)]) }

    /// Clicks on several places, one after the other; each call of tmux takes some 20 ms.
    package func click(_ places: [(column: Int, row: Int)]) throws {
        let reports = places.map { "\u{1B}[<0;\($0.column + 1);\($0.row + 1)" }
        try type(reports.map { $0 + "M" + $0 + "m" }.joined())
    }

    /// Attaches a client to tmux, in a terminal of its own; it stays attached until ``detach()`` or until it ends.
    package func attach() throws(SupportError) -> ChildProcess {
        try ChildProcess(
            ["tmux", "-u", "-S", socket, "attach"], environment: ["TMUX": nil, "TERM": "xterm-256color"],
            streams: .terminal(columns: 80, rows: 24))
    }

    /// Detaches all clients from tmux; its first session is 0.
    package func detach() throws { try tmux(["detach-client", "-s", "0"]) }

    /// Reports that the terminal has gained or lost the focus, whether or not the program has enabled focus reports.
    package func report(focus: Bool) throws { try type(focus ? "\u{1B}[I" : "\u{1B}[O") }

    /// Removes the terminal without warning, as a broken connection does.
    package func vanish() throws { try server.signal(SIGKILL) }

    /// Changes the terminal's size.
    package func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window"] + target + ["-x", "\(columns)", "-y", "\(rows)"])
    }
}
