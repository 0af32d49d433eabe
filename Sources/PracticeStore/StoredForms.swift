internal import CounterModel
internal import Practice

extension Duration {
    /// Microseconds, as stored.
    var stored: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    init(stored: Int64) { self = .microseconds(stored) }
}

extension CoinReason {
    /// The columns of a row: the kind, what it was for, and the level.
    var stored: (reason: String, subject: String, level: Int?) {
        switch self {
        case .levelSolved(let activity, let level): ("level_solved", activity.rawValue, level)
        case .withoutMistake(let activity, let level): ("without_mistake", activity.rawValue, level)
        case .video(let id): ("video", id, nil)
        case .reward(let name): ("reward", name, nil)
        }
    }

    /// - Returns: `nil` for a row that this version does not know.
    init?(reason: String, subject: String, level: Int?) {
        switch (reason, ActivityType(rawValue: subject)) {
        case ("level_solved", let activity?): self = .levelSolved(activity, level: level ?? 1)
        case ("without_mistake", let activity?): self = .withoutMistake(activity, level: level ?? 1)
        case ("video", _): self = .video(id: subject)
        case ("reward", _): self = .reward(name: subject)
        default: return nil
        }
    }
}
