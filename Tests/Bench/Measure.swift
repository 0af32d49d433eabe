import Glibc
import TestSupport

/// Programs that are measured, each in a terminal of 80×24.
enum Subject {
    private static let terminal = ChildProcess.Streams.terminal(columns: 80, rows: 24)

    /// The screens on a journal in memory, and what they print once they have been painted.
    static func screens() throws -> (ChildProcess, ready: String) {
        let directory = "/dev/shm/counter-bench-\(getpid())"
        let program = try ChildProcess(
            [BuiltProducts.counter, "--always", "--debounce", "0ms", "--data-dir", directory],
            environment: ["TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": directory, "TMUX": nil],
            streams: terminal)
        return (program, "Count ")
    }

    static func shell() throws -> (ChildProcess, ready: String) {
        (
            try ChildProcess(["bash", "--norc", "-i"], environment: ["PS1": "ready"], streams: terminal),
            "ready"
        )
    }
}

/// Durations in milliseconds.
struct Samples {
    private let sorted: [Double]

    init(_ durations: [Duration]) {
        sorted = durations.map {
            Double($0.components.attoseconds) / 1e15 + Double($0.components.seconds) * 1e3
        }
        .sorted()
    }

    func quantile(_ part: Double) -> Double {
        sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}

enum Measure {
    /// The median time from the start of a program to the first text that tells it is ready.
    static func start(_ rounds: Int, _ subject: () throws -> (ChildProcess, ready: String)) throws -> Double {
        try Samples(
            (0..<rounds).map { _ in
                let start = ContinuousClock.now
                let (program, ready) = try subject()
                defer { program.end() }
                try program.skipOutput(past: ready)
                return ContinuousClock.now - start
            }
        ).quantile(0.5)
    }

    /// Resident memory in MB, after a hundred counts.
    static func memoryOfCounting() throws -> (both: Double, shell: Double) {
        let (program, ready) = try Subject.screens()
        defer { program.end() }
        try program.skipOutput(past: ready)
        let (shell, prompt) = try Subject.shell()
        defer { shell.end() }
        try shell.skipOutput(past: prompt)
        for _ in 1...100 {
            try program.write("+")
            try program.skipOutput(past: "Count ")
        }
        let server = program.process.children.first { $0.name == "counter-keys" }
        let both = program.process.residentBytes + (server?.residentBytes ?? 0)
        return (Double(both) / 1e6, Double(shell.process.residentBytes) / 1e6)
    }

    /// From a key going down in the kernel to the new number on the terminal.
    static func pressToPaint(
        _ presses: Int, _ subject: () throws -> (ChildProcess, ready: String)
    ) throws -> Samples {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let (program, _) = try subject()
        defer { program.end() }
        try program.skipOutput(past: "held", timeout: .seconds(30))
        return try latencies(presses, remote) { number in try program.skipOutput(past: "Count \(number)\u{7}")
        }
    }

    /// From a key going down in the kernel to the line of evtest on the terminal.
    static func pressToLine(_ presses: Int) throws -> Samples {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let program = try ChildProcess(["evtest", remote.node], streams: .terminal(columns: 80, rows: 24))
        defer { program.end() }
        try program.skipOutput(past: "(interrupt to exit)", timeout: .seconds(30))
        return try latencies(presses, remote) { _ in try program.skipOutput(past: "value 1") }
    }

    private static func latencies(
        _ presses: Int, _ remote: VirtualRemote, _ arrival: (Int) throws -> Void
    ) throws -> Samples {
        try Samples(
            (1...presses).map { number in
                let start = ContinuousClock.now
                try remote.down(.volumeUp, then: .zero)
                try arrival(number)
                let end = ContinuousClock.now
                try remote.up(.volumeUp, then: .milliseconds(50))
                return end - start
            })
    }
}
