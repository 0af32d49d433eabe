import Glibc
import TestSupport
import Testing

/// A journal of its own in a temporary directory, and ways to run the real program on it.
final class Workplace {
    let directory: String

    init() throws {
        var template = Array("/tmp/counter-kernel-XXXXXX".utf8CString)
        directory = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit { _ = try? ChildProcess.run(["rm", "-rf", directory]) }

    private var environment: [String: String] { ["COUNTER_DATA_DIR": directory, "HOME": directory] }

    /// The screens, in a terminal; the keys are held from the start.
    func open(
        _ options: [String] = ["--always"], columns: Int = 80, rows: Int = 24
    ) throws -> TerminalSession {
        try TerminalSession(
            [BuiltProducts.counter] + options, columns: columns, rows: rows, environment: environment)
    }

    /// `counter listen`.
    func listen(_ options: [String] = []) throws -> ChildProcess {
        try ChildProcess([BuiltProducts.counter, "listen"] + options, environment: environment)
    }

    /// A command to its end.
    func run(_ command: String...) throws -> ChildProcess.Outcome {
        try ChildProcess.run([BuiltProducts.counter] + command, environment: environment)
    }

    /// Writes the configuration file that every later command reads.
    func configure(_ text: String) throws {
        let folder = directory + "/.config/counter"
        _ = try ChildProcess.run(["mkdir", "-p", folder])
        _ = try ChildProcess.run(["tee", folder + "/config.toml"], input: text)
    }

    /// What `counter show` prints, without the line's end.
    func show() throws -> String { String(try run("show").output.dropLast()) }

    /// The lines of `counter export`, without the header.
    func exported() throws -> [String] {
        try run("export").output.split(separator: "\n").dropFirst().map(String.init)
    }

    func verify() throws -> ChildProcess.Outcome { try run("verify") }
}

extension ChildProcess {
    /// Waits for a line on standard error with this text, such as `: held` of `counter: Virtual Remote: held`.
    func waitForErrorLine(_ text: String) throws {
        while let line = try readErrorLine() {
            if line.contains(text) { return }
        }
        Issue.record("no line has '\(text)'")
    }

    /// Waits for the next lines of standard output, and expects these.
    func expectLines(_ lines: [String]) throws {
        for line in lines { #expect(try readLine() == line) }
    }
}

extension SecondReader {
    /// Expects that exactly this has arrived since the last look.
    func expect(_ events: [KeyEvent], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let seen = try take()
        #expect(seen == events, sourceLocation: sourceLocation)
    }
}

extension Duration {
    /// Much less than anything that counts, and enough for a slow kernel to have delivered.
    static let quick = Duration.milliseconds(60)
    /// Longer than the debounce.
    static let apart = Duration.milliseconds(200)
}
