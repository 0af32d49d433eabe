import Glibc

/// A program that a test starts, talks to and ends.
///
/// It starts with no signal blocked or ignored and with no descriptors but 0, 1 and 2. It is killed and waited for when
/// this object goes: keep it alive with `defer { child.end() }`.
package final class ChildProcess {
    /// What its standard input, output and error are.
    package enum Streams: Sendable {
        /// A pipe each.
        case pipes
        /// A pipe each, and this descriptor of ours as its 3.
        case pipesAnd(Int32)
        /// One terminal for all three, which is also its controlling terminal.
        case terminal(columns: UInt16, rows: UInt16)
        /// The virtual terminal at this path, for all three, which is also its controlling terminal.
        case console(String)
    }

    /// The process.
    package let process: RunningProcess
    private let output: LineBuffer
    private let errors: LineBuffer?
    private var input: Int32?
    private var status: ExitStatus?
    private let folder: ScratchFolder?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: The program, looked up in PATH where it has no slash, and its arguments.
    ///   - environment: Variables on top of this process's own; nil takes one away.
    ///   - streams: What it reads from and writes to.
    ///   - folder: What it needs and is not to go before it.
    /// - Throws: ``SupportError/system(call:subject:errno:)`` where it cannot be started.
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

    /// What ends without reading is no reason to end the tests: writing to it is an error (EPIPE).
    private static let ignoreBrokenPipes: Void = { _ = Glibc.signal(SIGPIPE, SIG_IGN) }()

    /// Kills it if it still runs, and waits for it.
    package func end() {
        closeInput()
        guard status == nil else { return }
        kill(process.pid, SIGKILL)
        var raw: Int32 = 0
        while waitpid(process.pid, &raw, 0) == -1 && errno == EINTR {}
        status = ExitStatus(raw: raw)
    }

    /// Sends it a signal, one of the `SIG…`.
    package func signal(_ number: Int32) throws(SupportError) { try process.signal(number) }

    /// Waits until it has ended; what it writes meanwhile is kept.
    ///
    /// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``, with what it wrote.
    @discardableResult
    package func wait(timeout: Duration = hopeless) throws -> ExitStatus {
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
    /// The next line of its output, without its end; nil after the last.
    ///
    /// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``.
    package func readLine(timeout: Duration = hopeless) throws(SupportError) -> String? {
        try output.readLine(timeout: timeout)
    }

    /// Waits until its output holds a text, and takes everything up to its end: control sequences too.
    ///
    /// - Returns: What was taken.
    /// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``.
    @discardableResult
    package func skipOutput(
        past text: String, timeout: Duration = hopeless
    ) throws(SupportError) -> String {
        try output.take(past: text, timeout: timeout)
    }

    /// Takes what it has written so far and forgets it, so that it can go on writing.
    package func discardOutput() throws(SupportError) {
        try output.fill()
        _ = output.takeAll()
    }

    /// The next line of its standard error, without its end; nil after the last, and always on a terminal.
    ///
    /// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``.
    package func readErrorLine(timeout: Duration = hopeless) throws(SupportError) -> String? {
        try errors?.readLine(timeout: timeout)
    }

    /// Writes to its standard input.
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

    /// Ends its standard input. On a terminal nothing happens: that ends with the process.
    package func closeInput() {
        guard let input else { return }
        self.input = nil
        close(input)
    }

    /// What a program that ran to its end wrote, and how it ended.
    package struct Outcome: Equatable, Sendable {
        /// How it ended.
        package var status: ExitStatus
        /// Its standard output.
        package var output: String
        /// Its standard error.
        package var errors: String

        /// - Parameters:
        ///   - status: How it ended.
        ///   - output: Its standard output.
        ///   - errors: Its standard error.
        package init(status: ExitStatus, output: String, errors: String) {
            (self.status, self.output, self.errors) = (status, output, errors)
        }
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - environment: Variables on top of this process's own; nil takes one away.
    ///   - input: What it reads.
    ///   - timeout: How long it may take.
    /// - Returns: What it wrote and how it ended, also where it failed.
    /// - Throws: ``SupportError``.
    package static func run(
        _ command: [String], environment: [String: String?] = [:], input: String = "",
        timeout: Duration = hopeless
    ) throws -> Outcome {
        let child = try ChildProcess(command, environment: environment)
        defer { child.end() }
        do throws(SupportError) { try child.write(input) } catch {
            // One that reads no more is no fault.
            guard case .system(_, _, EPIPE) = error else { throw error }
        }
        child.closeInput()
        let status = try child.wait(timeout: timeout)
        try child.output.fill()
        try child.errors?.fill()
        return Outcome(
            status: status, output: child.output.takeAll(), errors: child.errors?.takeAll() ?? "")
    }
}

extension ExitStatus {
    /// - Parameter raw: What wait(2) gives. Its macros are not imported into Swift: the low 7 bits are the signal.
    init(raw: Int32) {
        let signal = raw & 0x7F
        self = signal == 0 ? .exited(raw >> 8 & 0xFF) : .killed(signal)
    }
}
