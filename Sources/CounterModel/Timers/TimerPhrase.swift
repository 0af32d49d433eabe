/// A timer in words, as users type it: `5m Robins`, `1h30m`, or `3 x 5m, 1m Sets` for three rounds with pauses of 1 min.
package struct TimerPhrase: Hashable, Sendable {
    /// 1...99.
    package private(set) var rounds = 1
    /// The length of a round; see `TimerDuration`.
    package private(set) var seconds: Int
    /// Between two rounds; 0 where none is named.
    package private(set) var pauseSeconds = 0
    /// As `LabelSanitizer` makes it; may be empty.
    package private(set) var label: String

    /// Why a text is no timer.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        case noDuration
        case unreadable(String)
        case outOfRange(String)
        case tooManyRounds
        case pauseOfOneRound
        /// The label begins with a duration.
        case twoDurations(String, String)

        package var description: String {
            switch self {
            case .noDuration: "enter how long, \(DurationText.forms)"
            case .unreadable(let text): "'\(text)' is no duration; write one \(DurationText.forms)"
            case .outOfRange(let text): "'\(text)': \(TimerDuration.text)"
            case .tooManyRounds: "a timer has 1 to \(TimerSetup.mostRounds) rounds"
            case .pauseOfOneRound: "a pause is between rounds, such as 3 x 5m, 1m"
            case .twoDurations(let first, let second):
                "'\(first)' and '\(second)' are two durations; write \(first)\(second) for one, or a word before \(second)"
            }
        }
    }

    package init(_ text: String) throws(Problem) {
        var rest = text.drop { $0.isWhitespace }
        rounds = try Self.takeRounds(&rest)
        let first = Self.takeWord(&rest)
        if first.isEmpty { throw .noDuration }
        seconds = try Self.seconds(first)
        if rest.first == "," {
            if rounds == 1 { throw .pauseOfOneRound }
            rest = rest.dropFirst().drop { $0.isWhitespace }
            pauseSeconds = try Self.seconds(Self.takeWord(&rest))
        }
        let second = rest.split { $0.isWhitespace }.first ?? ""
        if DurationText.read(second) != nil { throw .twoDurations(String(first), String(second)) }
        label = LabelSanitizer.label(rest)
    }

    /// Takes `3 x`, with or without spaces, if a number follows.
    private static func takeRounds(_ text: inout Substring) throws(Problem) -> Int {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let sign = text.dropFirst(digits.count).drop { $0.isWhitespace }
        let rest = sign.dropFirst().drop { $0.isWhitespace }
        guard !digits.isEmpty, sign.first.map("xX\u{D7}".contains) ?? false, rest.first?.isNumber ?? false
        else { return 1 }
        guard let rounds = Int(digits), 1...TimerSetup.mostRounds ~= rounds else { throw .tooManyRounds }
        text = rest
        return rounds
    }

    private static func takeWord(_ text: inout Substring) -> Substring {
        let word = text.prefix { !$0.isWhitespace && $0 != "," }
        text.removeFirst(word.count)
        return word
    }

    private static func seconds(_ text: Substring) throws(Problem) -> Int {
        switch TimerDuration.read(text) {
        case .success(let seconds): return seconds
        case .failure(.outOfRange): throw .outOfRange(String(text))
        case .failure(.unreadable): throw .unreadable(String(text))
        }
    }
}
