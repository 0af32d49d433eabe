import Alarms
import Glibc
import Linux
import Sound

/// Finds out which parts of the system are missing, and prints them: `counter-ringer check PART…`. All are asked at once.
struct PartCheck {
    /// How long all parts together may take to answer.
    private static let timeout = Duration.seconds(1)

    private enum Answer {
        case present
        case missing(String)
    }

    private let bus: UserBus?
    private let speech: Speech?
    private var speechProblem: String?
    private let sound: PulseSound?
    /// `aplay -l`, which ends with 0 where it finds a sound card.
    private let cards: DetachedProcess?

    /// Prints a line of the protocol for each part that is missing. Returns whether all names are those of parts.
    static func run(_ names: [String]) -> Bool {
        let end = MonotonicTime.now + timeout
        let parts = names.compactMap(RingerPart.init(rawValue:))
        var check = PartCheck(asking: parts)
        while .now < end, parts.contains(where: { check.answer(of: $0) == nil }) { check.wait(until: end) }
        for part in parts {
            guard case .missing(let reason) = check.answer(of: part) ?? check.silence(of: part) else {
                continue
            }
            print(RingerReply.missing(part, reason: reason).line)
        }
        check.cards?.end()
        return parts.count == names.count
    }

    private init(asking parts: [RingerPart]) {
        let hasSound = parts.contains(.sound)
        sound = hasSound ? PulseSound() : nil
        cards = hasSound ? try? DetachedProcess(["aplay", "-l"]) : nil
        speech = parts.contains(.speech) ? Speech() : nil
        speechProblem = speech?.open(at: .now)
        let ofBus: [RingerPart] = [.bus, .notifications, .manager]
        let onBus = parts.filter { ofBus.contains($0) }
        bus = onBus.isEmpty ? nil : UserBus()
        for part in onBus { bus?.ask(part) }
    }

    private mutating func wait(until end: MonotonicTime) {
        var polled = PollSet()
        bus?.watch(&polled)
        speech?.watch(&polled)
        if let cards { polled.add(cards.number) }
        let next = [end, bus?.deadline, speech?.deadline].compactMap(\.self).min()
        if let sound {
            try? sound.wait(for: &polled, until: next)
        } else {
            try? polled.wait(until: next)
        }
        _ = bus?.handle()
        speechProblem = speech?.handle(polled, at: .now) ?? speechProblem
    }

    /// What is known of a part; `nil` where it has not answered.
    private func answer(of part: RingerPart) -> Answer? {
        switch part {
        case .sound: soundAnswer
        case .speech: speechProblem.map(Answer.missing) ?? (speech?.isBusy == true ? nil : .present)
        case .bus: bus?.failure.map(Answer.missing) ?? (bus?.isReady == true ? .present : nil)
        case .manager: bus?.failure.map(Answer.missing) ?? busAnswer(of: part)
        // A bus that is not there has a line of its own.
        case .notifications: bus?.failure == nil ? busAnswer(of: part) : .present
        // systemd-logind notes there who lingers; see loginctl(1).
        case .lingering:
            access("/var/lib/systemd/linger/\(LoginName.current)", F_OK) == 0
                ? .present : .missing("you do not linger")
        }
    }

    private func busAnswer(of part: RingerPart) -> Answer? {
        guard let bus, !bus.asked.contains(part) else { return nil }
        return bus.problems[part].map(Answer.missing) ?? .present
    }

    private var soundAnswer: Answer? {
        guard let sound, !sound.isReady else { return .present }
        return sound.failure.flatMap { reason in
            guard let cards else { return .missing(reason) }
            return cards.endStatus().map { $0 == 0 ? .present : .missing(reason) }
        }
    }

    /// What is said of a part that has not answered in time.
    private func silence(of part: RingerPart) -> Answer {
        switch part {
        case .sound where cards?.endStatus() == 0: .present
        case .speech where speech?.isStarting == true: .missing("speech-dispatcher is still starting")
        case .notifications where bus?.isReady == false: .present
        case .sound, .speech, .bus, .notifications, .manager, .lingering: .missing("it does not answer")
        }
    }
}
