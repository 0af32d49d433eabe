import Glibc

/// A journal of its own in a temporary directory, and ways to run the real program on it.
package final class Workplace {
    /// The home directory of the programs, and where they keep their journal. It goes with this object.
    package var directory: String { folder.path }
    private let folder: ScratchFolder
    /// Variables on top of this process's own; nil takes one away.
    package var environment: [String: String?]

    /// - Parameter environment: More variables; nil takes one away.
    /// - Throws: ``SupportError``.
    package init(environment: [String: String?] = [:]) throws(SupportError) {
        folder = try ScratchFolder()
        // What the developer has configured is not tested.
        self.environment = [
            "COUNTER_DATA_DIR": folder.path, "HOME": folder.path, "XDG_CONFIG_HOME": nil,
            "XDG_DATA_HOME": nil,
            "NO_COLOR": nil,
        ].merging(environment) { $1 }
    }

    /// The screens, in a terminal; the keys are held from the start.
    ///
    /// - Parameters:
    ///   - options: Of the command line.
    ///   - columns: The width.
    ///   - rows: The height.
    ///   - environment: More variables; nil takes one away.
    /// - Returns: The terminal, once the program has been started.
    /// - Throws: ``SupportError``.
    package func open(
        _ options: [String] = ["--always"], columns: Int = 80, rows: Int = 24,
        environment: [String: String?] = [:]
    ) throws -> TerminalSession {
        try TerminalSession(
            [BuiltProducts.counter] + options, columns: columns, rows: rows,
            environment: variables(environment))
    }

    /// The screens, in a terminal that nobody looks at: for tests that talk to the program faster than tmux would.
    ///
    /// - Parameters:
    ///   - options: Of the command line.
    ///   - starter: A command that starts the program; none where it leads the terminal's session itself.
    /// - Returns: The program or what starts it.
    /// - Throws: ``SupportError``.
    package func openUnseen(_ options: [String] = [], startedBy starter: [String] = []) throws -> ChildProcess
    {
        try ChildProcess(
            starter + [BuiltProducts.counter] + options,
            environment: variables(["TERM": "xterm-256color", "LANG": "C.UTF-8", "TMUX": nil, "STY": nil]),
            streams: .terminal(columns: 80, rows: 24), keeping: folder)
    }

    /// `counter listen`.
    package func listen(_ options: [String] = []) throws -> ChildProcess {
        try ChildProcess(
            [BuiltProducts.counter, "listen"] + options, environment: environment, keeping: folder)
    }

    /// A command to its end.
    @discardableResult
    package func run(
        _ command: String..., environment: [String: String?] = [:], input: String = ""
    ) throws -> ChildProcess.Outcome {
        try run(command, environment: environment, input: input)
    }

    /// A command to its end.
    @discardableResult
    package func run(
        _ command: [String], environment: [String: String?] = [:], input: String = ""
    ) throws -> ChildProcess.Outcome {
        try ChildProcess.run(
            [BuiltProducts.counter] + command, environment: variables(environment), input: input)
    }

    /// Writes the configuration file that every later command reads.
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

    /// What `counter show` prints, without the line's end.
    package func show() throws -> String { String(try run("show").output.dropLast()) }

    /// The lines of `counter export`, without the header.
    package func exported() throws -> [String] {
        try run("export").output.split(separator: "\n").dropFirst().map(String.init)
    }

    /// `counter verify`.
    package func verify() throws -> ChildProcess.Outcome { try run("verify") }

    private func variables(_ more: [String: String?]) -> [String: String?] {
        environment.merging(more) { $1 }
    }
}
