import Glibc
import TestSupport

/// A program that is measured, and the text that shows that it is ready.
struct Subject {
    private static let terminal = ChildProcess.Streams.terminal(columns: 80, rows: 24)
    private static let timeout = Duration.seconds(30)

    let program: ChildProcess
    /// What it wrote until then.
    let painted: String

    private init(_ program: ChildProcess, readyAt text: String) throws {
        self.program = program
        painted = try program.skipOutput(past: text, timeout: Self.timeout)
    }

    /// The screens in a terminal of 80×24, on a journal in memory.
    static func screens(
        _ options: [String] = [], always: Bool = true, in directory: String? = nil,
        under profiler: [String] = [],
        environment: [String: String?] = [:], readyAt text: String
    ) throws -> Subject {
        let program = try counter(
            options, always: always, in: directory, under: profiler, environment: environment,
            streams: terminal)
        return try Subject(program, readyAt: text)
    }

    /// `counter listen` on a journal in memory, once it has intercepted a device.
    static func listen() throws -> ChildProcess {
        let program = try counter(["listen"], streams: .pipes)
        while let line = try program.readErrorLine(timeout: timeout), !line.hasSuffix(": exclusive") {}
        return program
    }

    /// A shell at its prompt.
    static func shell() throws -> Subject {
        let environment: [String: String?] = ["PS1": "ready"]
        return try Subject(
            ChildProcess(["bash", "--norc", "-i"], environment: environment, streams: terminal),
            readyAt: "ready")
    }

    /// evtest, which writes lines for each event of a node.
    static func evtest(_ node: String) throws -> Subject {
        try Subject(ChildProcess(["evtest", node], streams: terminal), readyAt: "(interrupt to exit)")
    }

    /// cat, which writes each line that it reads.
    static func cat() throws -> ChildProcess { try ChildProcess(["cat"], streams: terminal) }

    /// The path of a directory in memory that does not exist yet.
    static func newDirectory() -> String {
        "/dev/shm/counter-bench-\(getpid())-\(UInt32.random(in: .min ... .max))"
    }

    /// Its settings are variables, so that the screens are started as by hand: without arguments.
    private static func counter(
        _ arguments: [String], always: Bool = false, in directory: String? = nil,
        under profiler: [String] = [], environment: [String: String?] = [:], streams: ChildProcess.Streams
    ) throws -> ChildProcess {
        let directory = directory ?? newDirectory()
        let settings: [String: String?] = [
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": directory, "TMUX": nil,
            "COUNTER_DATA_DIR": directory, "COUNTER_DEBOUNCE": "0ms", "COUNTER_ALWAYS": "\(always)",
        ]
        return try ChildProcess(
            profiler + [BuiltProducts.counter] + arguments,
            environment: settings.merging(environment) { $1 },
            streams: streams)
    }
}

extension ChildProcess {
    /// The program and the key server that it has started.
    var both: [RunningProcess] { [process] + process.children }
}
