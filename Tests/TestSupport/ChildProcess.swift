import Glibc

/// A program that a test starts, communicates with and ends.
///
/// It starts with no signal blocked or ignored, and with only the descriptors 0, 1 and 2. It is killed at the end of its
/// scope.
package final class ChildProcess {
    package enum Streams: Sendable {
        /// A pipe each.
        case pipes
        /// A pipe each, and this descriptor of the test as the program's descriptor 3.
        case pipesAnd(Int32)
        /// One terminal for all three, which is also its controlling terminal.
        case terminal(columns: UInt16, rows: UInt16)
        /// The virtual terminal at this path, for all three, which is also its controlling terminal.
        case console(String)
    }

    package let process: RunningProcess
    private let output: LineBuffer
    private let errors: LineBuffer?
    private var input: Int32?
    private var status: ExitStatus?
    private let folder: ScratchFolder?

    package init(
        _ command: [String], environment: [String: String?] = [:], streams: Streams = .pipes,
        keeping folder: ScratchFolder? = nil
    ) throws(SupportError) {
        self.folder = folder
        Self.ignoreBrokenPipes
        let ends = try StreamEnds(streams)
        input = ends.input
        output = try LineBuffer(ends.output)
        errors = try ends.errors.map { descriptor throws(SupportError) in try LineBuffer(descriptor) }
        defer { ends.closeChildEnds() }
        process = RunningProcess(pid: try spawn(command, environment: environment, ends: ends))
    }

    deinit { end() }

    /// A program may end without reading its input. Writing to it must then be an error (EPIPE), and must not end the
    /// tests.
    private static let ignoreBrokenPipes: Void = { _ = Glibc.signal(SIGPIPE, SIG_IGN) }()

    /// Kills the program if it still runs, and waits for its end and that of its key server.
    package func end() {
        closeInput()
        guard status == nil else { return }
        let programs = process.ours
        kill(process.pid, SIGKILL)
        var raw: Int32 = 0
        while waitpid(process.pid, &raw, 0) == -1 && errno == EINTR {}
        status = ExitStatus(raw: raw)
        awaitEnd(of: programs)
    }

    package func signal(_ number: Int32) throws(SupportError) { try process.signal(number) }

    /// Asks the program to end, by SIGTERM, and waits until it has ended well.
    package func terminate() throws {
        try signal(SIGTERM)
        let status = try wait()
        guard status == .exited(0) else {
            throw SupportError.refused(by: "process \(process.pid)", why: "SIGTERM has ended it: \(status)")
        }
    }

    /// Waits until the program has ended, and keeps its output.
    @discardableResult
    package func wait(timeout: Duration = testTimeout) throws -> ExitStatus {
        try eventualValue(
            "process \(process.pid) to end", timeout: timeout, poll: .milliseconds(5),
            last: { self.output.takeAll() + (self.errors?.takeAll() ?? "") }
        ) {
            try output.fill()
            try errors?.fill()
            return try pollStatus()
        }
    }

    private func pollStatus() throws(SupportError) -> ExitStatus? {
        guard status == nil else { return status }
        var raw: Int32 = 0
        let ended = try checked("waitpid") { waitpid(process.pid, &raw, WNOHANG) }
        if ended != 0 { status = ExitStatus(raw: raw) }
        return status
    }
}

// MARK: - Reading and writing

extension ChildProcess {
    /// The next line of standard output, without its line end; nil after the last.
    package func readLine(timeout: Duration = testTimeout) throws(SupportError) -> String? {
        try output.readLine(timeout: timeout)
    }

    /// Waits until standard output contains a text, and takes everything up to its end, including control sequences.
    @discardableResult
    package func skipOutput(
        past text: String, timeout: Duration = testTimeout
    ) throws(SupportError) -> String {
        try output.take(past: text, timeout: timeout)
    }

    /// What has come on standard output since it was read last. A program whose output is not read blocks on a full pipe.
    @discardableResult
    package func takeOutput() throws(SupportError) -> String {
        try output.fill()
        return output.takeAll()
    }

    /// The next line of standard error, without its line end; nil after the last, and always nil on a terminal.
    package func readErrorLine(timeout: Duration = testTimeout) throws(SupportError) -> String? {
        try errors?.readLine(timeout: timeout)
    }

    /// The next line of standard error that contains a text.
    @discardableResult
    package func errorLine(with text: String) throws(SupportError) -> String {
        while let line = try readErrorLine() { if line.contains(text) { return line } }
        throw SupportError.refused(by: "process \(process.pid)", why: "it has ended without '\(text)'")
    }

    package func write(_ text: String) throws(SupportError) {
        guard let input else { return }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let size = try checked("write", "process \(process.pid)") {
                bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            }
            bytes = bytes.dropFirst(size)
        }
    }

    /// Closes the program's standard input. Does nothing on a terminal, which closes with the process.
    package func closeInput() {
        guard let input else { return }
        self.input = nil
        close(input)
    }

    package struct Outcome: Equatable, Sendable {
        package var status: ExitStatus
        package var output: String
        package var errors: String

        package init(status: ExitStatus, output: String, errors: String) {
            (self.status, self.output, self.errors) = (status, output, errors)
        }
    }

    /// Runs a program and waits for its end.
    package static func run(
        _ command: [String], environment: [String: String?] = [:], input: String = ""
    ) throws -> Outcome {
        let child = try ChildProcess(command, environment: environment)
        defer { child.end() }
        do throws(SupportError) { try child.write(input) } catch {
            // A program that does not read all of its input is no error.
            guard case .system(_, _, EPIPE) = error else { throw error }
        }
        child.closeInput()
        return try child.outcome()
    }

    /// Waits for the program's end, and takes all that it has written since it was read last.
    package func outcome(timeout: Duration = testTimeout) throws -> Outcome {
        let status = try wait(timeout: timeout)
        try output.fill()
        try errors?.fill()
        return Outcome(status: status, output: output.takeAll(), errors: errors?.takeAll() ?? "")
    }

    /// The output of a program that must succeed.
    @discardableResult
    package static func success(
        of command: [String], environment: [String: String?] = [:]
    ) throws -> String {
        let outcome = try run(command, environment: environment)
        guard outcome.status == .exited(0) else {
            throw SupportError.refused(by: command.joined(separator: " "), why: outcome.errors)
        }
        return outcome.output
    }
}

extension ExitStatus {
    /// From the status of wait(2), whose macros are not imported into Swift: the low 7 bits are the signal.
    init(raw: Int32) {
        let signal = raw & 0x7F
        self = signal == 0 ? .exited(raw >> 8 & 0xFF) : .killed(signal)
    }
}
