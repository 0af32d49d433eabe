package import Sound

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

/// What both ends agree on.
package enum RingerProtocol {
    /// The version that this build speaks.
    package static let version = 1
    /// The maximum length of a line in bytes, without the line feed.
    package static let maxLine = 1000
    /// The first word of both greetings.
    static let greeting = "counter-ringer"
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

extension String {
    /// The first word, and what follows the space behind it. A space with a combining mark behind it is one `Character`, and not a
    /// space; hence scalars.
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
