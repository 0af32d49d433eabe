import Glibc

/// A journal in a temporary directory, and ways to run the real program on it.
package final class Workplace {
    /// The home directory of the programs, which also contains their journal. `deinit` removes it.
    package var directory: String { folder.path }
    private let folder: ScratchFolder
    /// Variables in addition to this process's own; nil removes one.
    package var environment: [String: String?]

    /// - Parameter environment: More variables; nil removes one.
    /// - Throws: ``SupportError``.
    package init(environment: [String: String?] = [:]) throws(SupportError) {
        folder = try ScratchFolder()
        // The tests must not depend on the developer's configuration.
        self.environment = [
            "COUNTER_DATA_DIR": folder.path, "HOME": folder.path, "XDG_CONFIG_HOME": nil,
            "XDG_DATA_HOME": nil,
            "NO_COLOR": nil,
        ].merging(environment) { $1 }
    }

    /// Starts the screens in a terminal; the keys are intercepted from the start.
    ///
    /// - Parameters:
    ///   - options: Options of the command line.
    ///   - columns: The width.
    ///   - rows: The height.
    ///   - environment: More variables; nil removes one.
    /// - Returns: The terminal, after the program has been started.
    /// - Throws: ``SupportError``.
    package func open(
        _ options: [String] = ["--always"], columns: Int = 80, rows: Int = 24,
        environment: [String: String?] = [:]
    ) throws -> TerminalSession {
        try TerminalSession(
            [BuiltProducts.counter] + options, columns: columns, rows: rows,
            environment: variables(environment))
    }

    /// Starts the screens in a terminal that is not displayed: for tests that are faster than tmux.
    ///
    /// - Parameters:
    ///   - options: Options of the command line.
    ///   - starter: A command that starts the program; empty where the program itself leads the terminal's session.
    ///   - environment: More variables; nil removes one.
    /// - Returns: The program, or the command that starts it.
    /// - Throws: ``SupportError``.
    package func openUnseen(
        _ options: [String] = [], startedBy starter: [String] = [], environment: [String: String?] = [:]
    ) throws -> ChildProcess {
        let terminal: [String: String?] = [
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "TMUX": nil, "STY": nil,
        ]
        return try ChildProcess(
            starter + [BuiltProducts.counter] + options,
            environment: variables(terminal.merging(environment) { $1 }),
            streams: .terminal(columns: 80, rows: 24), keeping: folder)
    }

    /// Starts `counter listen`.
    package func listen(_ options: [String] = []) throws -> ChildProcess {
        try ChildProcess(
            [BuiltProducts.counter, "listen"] + options, environment: environment, keeping: folder)
    }

    /// Runs a command and waits for its end.
    @discardableResult
    package func run(
        _ command: String..., environment: [String: String?] = [:], input: String = ""
    ) throws -> ChildProcess.Outcome {
        try run(command, environment: environment, input: input)
    }

    /// Runs a command and waits for its end.
    @discardableResult
    package func run(
        _ command: [String], environment: [String: String?] = [:], input: String = ""
    ) throws -> ChildProcess.Outcome {
        try ChildProcess.run(
            [BuiltProducts.counter] + command, environment: variables(environment), input: input)
    }

    /// Writes the configuration file of all later commands.
    package func configure(_ text: String) throws(SupportError) {
        for folder in ["/.config", "/.config/counter"] { mkdir(directory + folder, 0o700) }
        try write(".config/counter/config.toml", Array(text.utf8))
    }

    /// Writes a file into the directory.
    package func write(_ name: String, _ bytes: [UInt8]) throws(SupportError) {
        let path = "\(directory)/\(name)"
        let file = fopen(path, "w")
        let count = file.map { fwrite(bytes, 1, bytes.count, $0) }
        guard let file, fclose(file) == 0, count == bytes.count else {
            throw .system(call: "write", subject: path, errno: errno)
        }
    }

    /// The ringer that serves the journal; nil where none runs.
    package var ringer: RunningProcess? {
        get throws {
            try ChildProcess.run(["pgrep", "-f", "counter-ringer (--data-dir|serve) \(directory)"]).output
                .split(separator: "\n").compactMap { Int32($0) }.map { RunningProcess(pid: $0) }
                .first { $0.isAlive }
        }
    }

    /// The output of `counter show`, without the line end.
    package func show() throws -> String { String(try run("show").output.dropLast()) }

    /// The lines of `counter export`, without the header.
    package func exported() throws -> [String] {
        try run("export").output.split(separator: "\n").dropFirst().map(String.init)
    }

    /// The result of `counter verify`.
    package func verify() throws -> ChildProcess.Outcome { try run("verify") }

    private func variables(_ more: [String: String?]) -> [String: String?] {
        environment.merging(more) { $1 }
    }
}
