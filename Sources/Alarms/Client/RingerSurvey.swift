import Glibc
import Linux

/// Asks `counter-ringer` which parts of the system are missing.
package struct RingerSurvey {
    /// A part that cannot be used, and what to do about it.
    package struct Problem: Hashable, Sendable {
        /// What is missing and why, on one line.
        package let problem: String
        /// On one line.
        package let remedy: String
    }

    /// What is missing of the parts that were asked for.
    package let problems: [Problem]

    /// How long `counter-ringer check` may take: its own second, and its start.
    private static let timeout = Duration.seconds(2)

    /// Runs `counter-ringer check`, and waits at most `timeout` for what it prints.
    ///
    /// - Parameters:
    ///   - executable: the path of `counter-ringer`.
    ///   - parts: those that are needed; none is asked for nothing.
    package init(executable: String, parts: [RingerPart]) {
        guard !parts.isEmpty else {
            problems = []
            return
        }
        do {
            let replies = try Self.replies([executable, "check"] + parts.map(\.rawValue))
            problems = replies?.compactMap(Self.problem) ?? [Self.notRunning(executable, "does not answer")]
        } catch { problems = [Self.notRunning(executable, "does not run")] }
    }

    /// What a program prints; `nil` where it takes too long.
    ///
    /// - Throws: `SystemCallError` where it cannot be started or fails, `LineAssembler.Invalid`.
    private static func replies(_ words: [String]) throws -> [RingerReply]? {
        var ends: [CInt] = [-1, -1]
        try systemCall("pipe") { pipe(&ends) }
        let reader = Descriptor(owning: ends[0])
        let process = try start(words, output: Descriptor(owning: ends[1]))
        defer { process.end() }
        _ = fcntl(reader.number, F_SETFD, FD_CLOEXEC)
        let deadline = MonotonicTime.now + timeout
        var (lines, replies) = (LineAssembler(), [RingerReply]())
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            guard try isReady(reader.number, before: deadline) else { return nil }
            let count = try buffer.withUnsafeMutableBytes { bytes in try reader.read(into: bytes) }
            if count == 0 { break }
            replies += try lines.add(buffer[..<count]).compactMap(RingerReply.init(line:))
        }
        _ = try isReady(process.number, before: deadline)
        guard let status = process.endStatus() else { return nil }
        if status != 0 { throw SystemCallError(call: "execve", subject: words[0], errno: ENOEXEC) }
        return replies
    }

    /// Starts a program, and closes this process's end of its output.
    private static func start(_ words: [String], output: consuming Descriptor) throws(SystemCallError)
        -> DetachedProcess
    {
        _ = fcntl(output.number, F_SETFD, FD_CLOEXEC)
        return try DetachedProcess(words, output: output.number)
    }

    private static func isReady(_ descriptor: CInt, before deadline: MonotonicTime) throws(SystemCallError)
        -> Bool
    {
        var polled = PollSet()
        polled.add(descriptor)
        try polled.wait(until: deadline)
        return !polled.result(at: 0).isEmpty && .now < deadline
    }

    private static func notRunning(_ executable: String, _ what: String) -> Problem {
        Problem(
            problem: "\(executable) \(what), so nothing is heard",
            remedy:
                "Install counter and counter-ringer together, with the libraries that the package recommends."
        )
    }

    private static func problem(_ reply: RingerReply) -> Problem? {
        guard case .missing(let part, let reason) = reply else { return nil }
        let (problem, remedy) = texts(of: part)
        return Problem(problem: "\(problem): \(reason)", remedy: remedy)
    }

    private static func texts(of part: RingerPart) -> (String, String) {
        switch part {
        case .sound:
            (
                "no sound server answers, so the bell stands for every sound",
                "Install pipewire-pulse or pulseaudio and log in again, or install alsa-utils; or set sound to none."
            )
        case .speech:
            (
                "no speech server answers, so no count is spoken",
                "Install speech-dispatcher and speech-dispatcher-espeak-ng, and try: spd-say hello. Or set speech to never."
            )
        case .bus:
            (
                "no user's message bus is reached, so an alarm shows no notification",
                "Install dbus-user-session and log in again; over SSH the terminal shows the alarm."
            )
        case .notifications:
            (
                "no notification server answers, so an alarm shows no notification",
                "Use a desktop that shows notifications, or install one such as dunst or mako."
            )
        case .manager:
            (
                "no service manager of this user is reached, so an alarm needs a running counter",
                "Log in through logind (libpam-systemd), or leave counter running until the alarm."
            )
        case .lingering:
            (
                "your service manager ends when you log out, so an alarm does not come after that",
                "loginctl enable-linger"
            )
        }
    }
}
