import Glibc

package enum ExitStatus: Hashable, Sendable {
    case exited(Int32)
    case killed(Int32)
}

/// A process of this machine, as /proc shows it. Once it is gone, values are 0 and lists are empty.
package struct RunningProcess: Hashable, Sendable {
    package let pid: Int32

    package init(pid: Int32) { self.pid = pid }

    /// Whether it runs or is stopped; false for a zombie, which has ended and has not been waited for.
    package var isAlive: Bool { state.map { $0 != "Z" && $0 != "X" } ?? false }

    /// Whether a signal has stopped it.
    package var isStopped: Bool { state == "T" }

    /// Whether its first thread blocks a signal (SigBlk), as a process does that reads signals from a descriptor.
    package func blocks(_ signal: Int32) -> Bool {
        field("SigBlk", of: "status").flatMap { UInt64($0, radix: 16) }.map { $0 >> (signal - 1) & 1 == 1 }
            ?? false
    }

    /// The name of its executable, cut to 15 bytes by the kernel.
    package var name: String? { field("Name", of: "status").map(String.init) }

    /// How often its threads have gone to sleep (voluntary context switches); each sleep but the present one has ended
    /// with a wake-up.
    package var wakeUps: Int {
        threads.reduce(0) { $0 + number("voluntary_ctxt_switches", of: "task/\($1)/status") }
    }

    /// The number of context switches of all its threads: an unchanged number means that no thread has run.
    package var contextSwitches: Int {
        wakeUps + threads.reduce(0) { $0 + number("nonvoluntary_ctxt_switches", of: "task/\($1)/status") }
    }

    package var processorTime: Duration {
        threads.reduce(.zero) { sum, thread in
            let fields = contents(of: path("task/\(thread)/schedstat"))?.split(separator: " ")
            return sum + .nanoseconds(fields?.first.flatMap { Int($0) } ?? 0)
        }
    }

    package var threads: [String] { entries(of: path("task")) }

    package var openDescriptors: Int { entries(of: path("fd")).count }

    /// The number that its next descriptor will have: the lowest that is free.
    package var nextDescriptor: Int {
        let used = Set(entries(of: path("fd")).compactMap { Int($0) })
        return (0...used.count).first { !used.contains($0) } ?? used.count
    }

    /// What its open descriptors refer to, for the text of a failure.
    package var openFiles: [String] {
        entries(of: path("fd")).map { target(ofLink: path("fd/\($0)")) }
    }

    /// Its resident memory (VmRSS), in bytes.
    package var residentBytes: Int { number("VmRSS", of: "status") * 1024 }

    /// The most resident memory that it has had (VmHWM), in bytes.
    package var mostResidentBytes: Int { number("VmHWM", of: "status") * 1024 }

    /// Its child processes that still run.
    package var children: [RunningProcess] { childProcesses.filter(\.isAlive) }

    /// The children of all its threads, ended ones too (CONFIG_PROC_CHILDREN).
    private var childProcesses: [RunningProcess] {
        threads.flatMap { contents(of: path("task/\($0)/children"))?.split(separator: " ") ?? [] }
            .compactMap { Int32($0) }.map { RunningProcess(pid: $0) }
    }

    /// Those of it and its descendants that run a program of ours which ends with it. The ringer goes on while something
    /// rings.
    var ours: [RunningProcess] {
        let isOurs = name.map { $0.hasPrefix("counter") && $0 != "counter-ringer" } ?? false
        return (isOurs ? [self] : []) + childProcesses.flatMap(\.ours)
    }

    package func signal(_ number: Int32) throws(SupportError) {
        try checked("kill", "process \(pid)") { kill(pid, number) }
    }

    private var state: Character? { field("State", of: "status")?.first }

    private func path(_ file: String) -> String { "/proc/\(pid)/\(file)" }

    private func number(_ name: String, of file: String) -> Int {
        field(name, of: file).flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    }

    private func field(_ name: String, of file: String) -> Substring? {
        contents(of: path(file))?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            .map { $0.dropFirst(name.count + 1).drop { $0.isWhitespace } }
    }
}

/// Waits until programs have ended that nothing keeps any longer. A key server that lives on for a moment would
/// intercept the device of the next test.
func awaitEnd(of programs: [RunningProcess]) {
    // A program that a test has stopped for good does not end.
    try? eventually("them to end", timeout: .seconds(10), poll: .milliseconds(2)) {
        !programs.contains(where: \.isAlive)
    }
}
