/// A line from `counter-ringer` to `counter`.
///
/// | line | tells |
/// |---|---|
/// | `counter-ringer 1` | the version that it speaks; always the first line |
/// | `taken` | all lines that it had received are handled |
/// | `missing sound …` | a part cannot be used, with the reason |
package enum RingerReply: Hashable, Sendable {
    case hello(version: Int)
    case taken
    case missing(RingerPart, reason: String)
}

/// What the ringer needs of the system; each can be missing.
package enum RingerPart: String, CaseIterable, Sendable {
    /// The sound server, PulseAudio or PipeWire.
    case sound
    /// speech-dispatcher.
    case speech
    /// The user's message bus.
    case bus
    /// The desktop's notification server.
    case notifications
    /// The user's service manager, which starts the ringer when no `counter` runs.
    case manager
    /// The user's service manager ends with the last session of the user.
    case lingering
}

extension RingerReply {
    /// The line, without a line feed.
    package var line: String {
        switch self {
        case .hello(let version): "\(RingerProtocol.greeting) \(version)"
        case .taken: "taken"
        case .missing(let part, let reason): "missing \(part.rawValue) \(reason.asLineEnd)"
        }
    }

    /// Parses a line; `nil` where it is not a reply of this version.
    package init?(line: String) {
        let (word, rest) = line.firstWord
        switch word {
        case RingerProtocol.greeting:
            guard let version = Int(rest) else { return nil }
            self = .hello(version: version)
        case "taken" where rest.isEmpty: self = .taken
        case "missing":
            let (name, reason) = String(rest).firstWord
            guard let part = RingerPart(rawValue: String(name)) else { return nil }
            self = .missing(part, reason: String(reason))
        default: return nil
        }
    }
}
