import Glibc
import TestSupport

/// What the program uses of the machine.
enum Cost {
    /// From its start to its first paint, in milliseconds; the median.
    static func start(_ rounds: Int, _ subject: () throws -> Subject) throws -> Double {
        try Samples(
            (0..<rounds).map { _ in
                let start = ContinuousClock.now
                let program = try subject().program
                defer { program.end() }
                return ContinuousClock.now - start
            }
        ).quantile(0.5)
    }

    /// Resident memory of both processes after a hundred counts, in MB.
    static func memoryOfCounting() throws -> Double {
        let program = try Subject.screens(readyAt: "Count ").program
        defer { program.end() }
        for number in 1...100 {
            try program.write("+")
            try program.skipOutput(past: "Count \(number)\u{7}")
        }
        return Double(program.both.reduce(0) { $0 + $1.residentBytes }) / 1e6
    }

    /// Resident memory of a shell, in MB.
    static func memoryOfShell() throws -> Double {
        let shell = try Subject.shell().program
        defer { shell.end() }
        return Double(shell.process.residentBytes) / 1e6
    }

    /// How often both processes woke up with a device intercepted and nothing to do, after the work of the start was
    /// done; and how often a shell at its prompt did.
    static func wakeUpsAtRest(for duration: Duration) throws -> (counter: Double, shell: Double) {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let program = try Subject.screens(readyAt: "exclusive").program
        defer { program.end() }
        let shell = try Subject.shell().program
        defer { shell.end() }
        pause(.seconds(5))
        var ofShell = 0.0
        let ofCounter = wakeUps(of: program.both) {
            ofShell = wakeUps(of: [shell.process]) { pause(duration) }
        }
        return (ofCounter, ofShell)
    }

    /// Processor time of both processes for counting 6 times a second, in milliseconds per second.
    static func processorTimeOfCounting(for seconds: Int) throws -> Double {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let program = try Subject.screens(readyAt: "exclusive").program
        defer { program.end() }
        return try processorTime(of: program.both, seconds) { try sixPresses(remote) }
    }

    /// Processor time of evtest for the same presses, in milliseconds per second.
    static func processorTimeOfEvtest(for seconds: Int) throws -> Double {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let program = try Subject.evtest(remote.node).program
        defer { program.end() }
        return try processorTime(of: [program.process], seconds) { try sixPresses(remote) }
    }

    private static func sixPresses(_ remote: VirtualRemote) throws {
        for _ in 1...6 { try remote.press(.volumeUp, for: .milliseconds(80), then: .milliseconds(87)) }
    }

    /// The context switches of some processes while `body` ran.
    static func wakeUps(of processes: [RunningProcess], _ body: () throws -> Void) rethrows -> Double {
        let before = processes.reduce(0) { $0 + $1.contextSwitches }
        try body()
        return Double(processes.reduce(0) { $0 + $1.contextSwitches } - before)
    }

    private static func processorTime(
        of processes: [RunningProcess], _ seconds: Int, _ second: () throws -> Void
    ) throws -> Double {
        func spent() -> Double { processes.reduce(0) { $0 + $1.processorTime.milliseconds } }
        let before = spent()
        for _ in 0..<seconds { try second() }
        return (spent() - before) / Double(seconds)
    }
}
