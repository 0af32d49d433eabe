import Glibc
public import RingerProtocol
import System

/// Asks `counter-ringer` which parts of the system are missing.
public struct RingerSurvey {
    /// A part that cannot be used, and what to do about it.
    public struct Problem: Hashable, Sendable {
        /// What is missing and why, on one line.
        public let problem: String
        /// On one line.
        public let remedy: String
    }

    /// What is missing of the parts that were asked for.
    public let problems: [Problem]

    /// Runs `counter-ringer check`, which takes at most some seconds.
    ///
    /// The corresponding C function is `popen(3)`.
    ///
    /// - Parameters:
    ///   - executable: the path of `counter-ringer`.
    ///   - parts: those that are needed; none is asked for nothing.
    public init(executable: String, parts: [RingerPart]) {
        guard !parts.isEmpty else {
            problems = []
            return
        }
        let words = [executable, "check"] + parts.map(\.rawValue)
        let command = words.map(\.quotedForShell).joined(separator: " ") + " 2>/dev/null"
        guard let answer = popen(command, "re") else {
            problems = [Self.notRunning(executable)]
            return
        }
        var lines: [String] = []
        var buffer = [CChar](repeating: 0, count: RingerProtocol.maxLine + 2)
        while fgets(&buffer, CInt(buffer.count), answer) != nil {
            lines.append(
                String(
                    decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)),
                    as: UTF8.self))
        }
        let status = pclose(answer)
        problems =
            status == 0
            ? lines.compactMap(RingerReply.init(line:)).compactMap(Self.problem)
            : [Self.notRunning(executable)]
    }

    private static func notRunning(_ executable: String) -> Problem {
        Problem(
            problem: "\(executable) does not run, so nothing is heard",
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
