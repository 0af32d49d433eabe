import Glibc
import Ringer
import RingerProtocol
import System

/// Finds out which parts of the system are missing, and prints them: `counter-ringer check PART…`.
enum PartCheck {
    /// How long one part may take to answer.
    private static let timeout = Duration.seconds(3)

    /// Prints a line of the protocol for each part that is missing.
    ///
    /// - Returns: whether all names are those of parts.
    static func run(_ names: [String]) -> Bool {
        let parts = names.compactMap(RingerPart.init(rawValue:))
        for part in parts {
            if let reason = reason(part) { print(RingerReply.missing(part, reason: reason).line) }
        }
        return parts.count == names.count
    }

    /// Why a part cannot be used; `nil` where it can.
    private static func reason(_ part: RingerPart) -> String? {
        switch part {
        case .sound: sound
        case .speech: speech
        case .bus: UserBus().busProblem
        case .notifications: onBus { $0.notificationProblem }
        case .manager: UserBus().managerProblem
        case .lingering: lingering
        }
    }

    /// What is missing on a bus that is there; one that is not has a line of its own.
    private static func onBus(_ problem: (UserBus) -> String?) -> String? {
        let bus = UserBus()
        return bus.busProblem == nil ? problem(bus) : nil
    }

    /// systemd-logind notes there who lingers; see loginctl(1).
    private static var lingering: String? {
        access("/var/lib/systemd/linger/\(LoginName.current)", F_OK) == 0 ? nil : "you do not linger"
    }

    private static var sound: String? {
        let server = PulseSound()
        let end = MonotonicTime.now + timeout
        while !server.isReady {
            var nothing = PollSet()
            try? server.wait(for: &nothing, until: end)
            let reason = server.failure ?? (.now < end ? nil : "it does not answer")
            if let reason { return hasCard ? nil : reason }
        }
        return nil
    }

    /// Whether `aplay` is installed and finds a sound card.
    private static var hasCard: Bool {
        (try? DetachedProcess(["aplay", "-l"])).flatMap { wait(for: $0) } == 0
    }

    /// The status of a process; `nil` where it takes too long.
    private static func wait(for process: DetachedProcess) -> CInt? {
        var polled = PollSet()
        polled.add(process.number)
        try? polled.wait(until: .now + timeout)
        defer { process.end() }
        return process.endStatus()
    }

    private static var speech: String? {
        let speech = Speech()
        if let reason = speech.open(at: .now) { return reason }
        let end = MonotonicTime.now + timeout
        while speech.isBusy {
            if .now >= end { return "speech-dispatcher does not answer" }
            var polled = PollSet()
            speech.watch(&polled)
            try? polled.wait(until: speech.deadline.map { min($0, end) } ?? end)
            if let reason = speech.handle(polled, at: .now) { return reason }
        }
        return nil
    }
}
