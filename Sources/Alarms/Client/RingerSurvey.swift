import Glibc
import Linux

/// Asks `counter-ringer` which parts of the system are missing.
package enum RingerSurvey {
    package enum Finding: Hashable, Sendable {
        case missing(RingerPart, reason: String)
        /// The program itself, by its path.
        case doesNotAnswer(String), doesNotRun(String)
    }

    /// How long `counter-ringer check` may take: its own second, and its start.
    private static let timeout = Duration.seconds(2)

    /// Runs `counter-ringer check` for the parts that are needed, and waits at most `timeout` for what it prints.
    package static func findings(executable: String, parts: [RingerPart]) -> [Finding] {
        if parts.isEmpty { return [] }
        do {
            return try replies([executable, "check"] + parts.map(\.rawValue))?.compactMap { reply in
                guard case .missing(let part, let reason) = reply else { return nil }
                return .missing(part, reason: reason)
            } ?? [.doesNotAnswer(executable)]
        } catch { return [.doesNotRun(executable)] }
    }

    /// What a program prints; `nil` where it takes too long. Throws `SystemCallError` where it cannot be
    /// started or fails, `LineSplitter.Invalid`.
    private static func replies(_ words: [String]) throws -> [RingerReply]? {
        var ends: [CInt] = [-1, -1]
        try systemCall("pipe") { pipe(&ends) }
        let reader = Descriptor(owning: ends[0])
        _ = fcntl(reader.number, F_SETFL, O_NONBLOCK)
        let process: DetachedProcess
        do {
            // Closed here once the process has it.
            let writer = Descriptor(owning: ends[1])
            _ = fcntl(writer.number, F_SETFD, FD_CLOEXEC)
            process = try DetachedProcess(words, output: writer.number)
        }
        defer { process.end() }
        _ = try PollSet.result(of: process.number, until: .now + timeout)
        guard let status = process.endStatus() else { return nil }
        if status != 0 { throw SystemCallError(call: "execve", subject: words[0], errno: ENOEXEC) }
        // What it prints is shorter than what a pipe holds, 64 KiB.
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = try buffer.withUnsafeMutableBytes { bytes in try reader.read(into: bytes) }
        var lines = LineSplitter(longest: RingerProtocol.maxLine)
        return try lines.add(buffer[..<count]).compactMap(RingerReply.init(line:))
    }
}
