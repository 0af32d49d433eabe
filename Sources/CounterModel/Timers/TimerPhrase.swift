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

    package init(_ text: String) throws(FieldProblem) {
        var rest = text.drop { $0.isWhitespace }
        rounds = try Self.takeRounds(&rest)
        let first = Self.takeWord(&rest)
        if first.isEmpty { throw FieldProblem("enter how long, \(DurationText.forms)") }
        seconds = try TimerDuration.read(first)
        if rest.first == "," {
            if rounds == 1 { throw FieldProblem("a pause is between rounds, such as 3 x 5m, 1m") }
            rest = rest.dropFirst().drop { $0.isWhitespace }
            pauseSeconds = try TimerDuration.read(Self.takeWord(&rest))
        }
        let second = rest.split { $0.isWhitespace }.first ?? ""
        if DurationText.read(second) != nil {
            let remedy =
                if rounds > 1, pauseSeconds == 0 {
                    "\(first), \(second) for rounds with pauses"
                } else if DurationText.read(first + second) == nil {
                    "one, or a word before \(second)"
                } else {
                    "\(first)\(second) for one, or a word before \(second)"
                }
            throw FieldProblem("'\(first)' and '\(second)' are two durations; write \(remedy)")
        }
        label = LabelSanitizer.label(rest)
    }

    /// Takes `3 x`, with or without spaces, if a number or nothing of the same word follows.
    private static func takeRounds(_ text: inout Substring) throws(FieldProblem) -> Int {
        let digits = text.prefix(while: \.isDecimalDigit)
        let sign = text.dropFirst(digits.count).drop { $0.isWhitespace }
        let word = sign.dropFirst()
        let rest = word.drop { $0.isWhitespace }
        let isLength = rest.first?.isNumber ?? false
        guard !digits.isEmpty, sign.first.map("xX\u{D7}".contains) ?? false,
            isLength || word.first?.isWhitespace ?? true
        else { return 1 }
        guard let rounds = Int(digits), 1...TimerSetup.mostRounds ~= rounds else {
            throw FieldProblem("a timer has 1 to \(TimerSetup.mostRounds) rounds")
        }
        if !isLength { throw FieldProblem("name how long a round is, such as \(rounds) x 5m") }
        text = rest
        return rounds
    }

    private static func takeWord(_ text: inout Substring) -> Substring {
        let word = text.prefix { !$0.isWhitespace && $0 != "," }
        text.removeFirst(word.count)
        return word
    }

    /// Gives a setup the length; one round alone leaves the rounds that it has.
    package func apply(to setup: inout TimerSetup) {
        setup.seconds = seconds
        if rounds > 1 { (setup.rounds, setup.pauseSeconds) = (rounds, pauseSeconds) }
    }
}
