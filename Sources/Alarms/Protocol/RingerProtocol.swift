import Glibc
import Linux
package import Sound

package enum RingerProtocol {
    package static let version = 1
    /// The maximum length of a line in bytes, without the line feed.
    package static let maxLine = 1000
    /// The first word of both greetings.
    static let greeting = "counter-ringer"
}

// MARK: - Requests

/// A line from `counter` to `counter-ringer`: words separated by spaces, the last of which may be a text.
///
/// | line | asks to |
/// |---|---|
/// | `counter-ringer 1` | speak version 1; always the first line |
/// | `sound up 80` | play the sound of a cue at 80 percent of full volume |
/// | `speak 12` | say a text; it interrupts what is being said |
/// | `timers` | read the journal's timers again |
package enum RingerRequest: Hashable, Sendable {
    case hello(version: Int)
    /// The volume is in percent, 0...100.
    case sound(Cue, volume: Int)
    case speak(String)
    case timers
}

extension RingerRequest {
    /// The line, without a line feed.
    package var line: String {
        switch self {
        case .hello(let version): "\(RingerProtocol.greeting) \(version)"
        case .sound(let cue, let volume): "sound \(cue.rawValue) \(volume)"
        case .speak(let text): "speak \(text.asLineEnd)"
        case .timers: "timers"
        }
    }

    /// Parses a line; `nil` where it is not a request of this version.
    package init?(line: String) {
        let (word, rest) = line.firstWord
        switch word {
        case RingerProtocol.greeting:
            guard let version = Int(rest) else { return nil }
            self = .hello(version: version)
        case "sound":
            let (name, percent) = String(rest).firstWord
            guard let cue = Cue(rawValue: String(name)), let volume = Int(percent), 0...100 ~= volume else {
                return nil
            }
            self = .sound(cue, volume: volume)
        case "speak" where !rest.isEmpty: self = .speak(String(rest))
        case "timers" where rest.isEmpty: self = .timers
        default: return nil
        }
    }
}

// MARK: - Replies

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

// MARK: - Lines

extension String {
    /// The first word, and what follows the space. By scalars: a space with a combining mark is another `Character`.
    var firstWord: (word: Substring, rest: Substring) {
        let scalars = unicodeScalars
        guard let space = scalars.firstIndex(of: " ") else { return (self[...], "") }
        return (self[..<space], self[scalars.index(after: space)...])
    }

    /// The text as the end of a line: without control characters, and not longer than a line may be.
    var asLineEnd: String {
        var text = ""
        for scalar in unicodeScalars {
            let isControl = scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
            if text.utf8.count + 4 > RingerProtocol.maxLine - 100 { break }
            text.unicodeScalars.append(isControl ? " " : scalar)
        }
        return text
    }
}

// MARK: - The place

/// Where the ringer of a journal is found: a lock, which allows one ringer for each journal and user, and a socket beside it.
package struct RingerPlace: Hashable, Sendable {
    /// The directory of both; mode 0700.
    package let directory: String
    /// Tells the journal from others of this machine; letters, digits and hyphens.
    package let name: String

    /// `nil` where the journal does not exist, or this user has no directory that others cannot change.
    package init?(journal: String) {
        guard let name = Self.name(of: journal), let directory = ProgramFiles.meetingPlace else { return nil }
        (self.directory, self.name) = (directory, name)
    }

    /// The name for a journal; `nil` where it does not exist. The directory's number is the same by whatever path.
    package static func name(of journal: String) -> String? {
        var status = stat()
        guard stat(journal, &status) == 0 else { return nil }
        return "\(String(status.st_dev, radix: 16))-\(String(status.st_ino, radix: 16))"
    }

    /// The file that the ringer locks with flock(2).
    package var lock: String { "\(directory)/ringer-\(name).lock" }
    package var socket: String { "\(directory)/ringer-\(name).socket" }
}
