/// Reads and writes durations, for options, the configuration and the fields of screens.
///
/// | text | duration |
/// |---|---|
/// | `150ms`, `90s`, `5m`, `5min`, `2h`, `1.5s` | a number with its unit |
/// | `1h30m`, `1m30s` | several of them, the larger unit first |
/// | `00:05:00` | hours, minutes, seconds |
/// | `5` | in the unit that the caller names; nothing where it names none |
package enum DurationText {
    /// A unit that a number may have; the raw values are microseconds.
    package enum Unit: Int64, CaseIterable, Sendable {
        case milliseconds = 1_000
        case seconds = 1_000_000
        case minutes = 60_000_000
        case hours = 3_600_000_000

        fileprivate var names: [String] {
            switch self {
            case .milliseconds: ["ms"]
            case .seconds: ["s", "sec"]
            case .minutes: ["m", "min"]
            case .hours: ["h"]
            }
        }

        fileprivate static func named(_ name: Substring) -> Unit? {
            allCases.first { $0.names.contains { $0 == name } }
        }
    }

    package static let forms = "such as 5m, 1h30m, 90s or 00:05:00"

    /// Numbers above this are refused, so that sums stay within `Int64`.
    private static let largestNumber = 1_000_000_000.0

    /// Reads a duration of 0 or more, without spaces; letters may be capitals. `bareUnit` is the unit of a number without one; nil
    /// refuses such a number.
    package static func read(_ text: some StringProtocol, bareUnit: Unit? = nil) -> Duration? {
        let text = text.lowercased()
        if text.contains(where: { $0 == ":" }) { return clock(text) }
        var rest = text[...]
        var total: Int64 = 0
        var smallest: Unit?
        repeat {
            guard let number = takeNumber(&rest) else { return nil }
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest.removeFirst(name.count)
            let isBare = name.isEmpty && rest.isEmpty && smallest == nil
            guard let unit = isBare ? bareUnit : Unit.named(name),
                smallest.map({ unit.rawValue < $0.rawValue }) ?? true
            else { return nil }
            smallest = unit
            total += Int64((number * Double(unit.rawValue)).rounded())
        } while !rest.isEmpty
        return .microseconds(total)
    }

    private static func takeNumber(_ text: inout Substring) -> Double? {
        let digits = text.prefix { $0.isDecimalDigit || $0 == "." }
        guard digits.first?.isDecimalDigit == true, digits.last?.isDecimalDigit == true,
            let number = Double(digits), number <= largestNumber
        else { return nil }
        text.removeFirst(digits.count)
        return number
    }

    /// `HH:MM:SS`; the hours may have any number of digits.
    private static func clock(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ 1...6 ~= $0.count && $0.allSatisfy(\.isDecimalDigit) }),
            parts[1...].allSatisfy({ $0.count == 2 }), let hours = Int64(parts[0]),
            let minutes = Int64(parts[1]), minutes < 60, let seconds = Int64(parts[2]), seconds < 60
        else { return nil }
        return .seconds(hours * 3600 + minutes * 60 + seconds)
    }
}

// MARK: - Writing

extension DurationText {
    /// Whole seconds, 0 or more, with their units, as `read` reads them: `5m`, `1h30m`, `1m30s`, `0s`.
    package static func short(seconds: Int) -> String {
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
        let text = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
        return text.isEmpty ? "0s" : text
    }

    /// Whole seconds, 0 or more, as a clock shows them: `0:07`, `5:00`, `1:30:00`.
    package static func clock(seconds: Int) -> String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let rest = ":\((seconds % 60).padded(to: 2))"
        return hours > 0 ? "\(hours):\(minutes.padded(to: 2))\(rest)" : "\(minutes)\(rest)"
    }

    /// What is left of a timer, rounded up: `4 min`, and seconds in the last one.
    package static func left(seconds: Int) -> String {
        seconds > 60 ? "\((seconds + 59) / 60) min" : "\(seconds) s"
    }

    /// How an age is written: in its largest unit, rounded down.
    package enum AgeStyle: Sendable {
        /// On a card or in a column, in hours up to two days: `12 s`, `5 min`, `47 h`, `2 d`.
        case card
        /// In a sentence, in minutes up to two hours: `just now`, `119 min ago`, `47 h ago`, `2 d ago`.
        case words
        /// As on a card, with the word for days: `2 days`.
        case length

        /// From which age on each unit is used, and the unit; all in seconds.
        fileprivate var units: [(from: Int, seconds: Int, name: String)] {
            switch self {
            case .card: [(0, 1, " s"), (60, 60, " min"), (3600, 3600, " h"), (172_800, 86_400, " d")]
            case .words: [(0, 60, " min ago"), (7200, 3600, " h ago"), (172_800, 86_400, " d ago")]
            case .length: [(0, 1, " s"), (60, 60, " min"), (3600, 3600, " h"), (172_800, 86_400, " days")]
            }
        }

        fileprivate func unit(of age: Int) -> (from: Int, seconds: Int, name: String) {
            units.last { $0.from <= age } ?? units[0]
        }
    }

    /// An age of 0 or more.
    package static func age(seconds: Int, _ style: AgeStyle) -> String {
        let unit = style.unit(of: seconds)
        if style == .words, seconds < unit.seconds { return "just now" }
        return "\(seconds / unit.seconds)\(unit.name)"
    }

    /// For how many seconds an age keeps its text.
    package static func seconds(untilChangeOf age: Int, _ style: AgeStyle) -> Int {
        let unit = style.unit(of: age).seconds
        return unit - age % unit
    }
}

/// Which durations a timer may have: 1 s to 99:59:59, in whole seconds.
package enum TimerDuration {
    /// 99:59:59, in seconds.
    package static let longest = 359_999

    package static let text = "a timer lasts 1s to 99:59:59, in whole seconds"

    /// Reads the duration of a timer in whole seconds, or of a part of one that may be shorter; `rule` says what it may be. A number without
    /// a unit is minutes.
    package static func read(
        _ text: some StringProtocol, from shortest: Int = 1, rule: String = Self.text
    ) throws(FieldProblem) -> Int {
        guard let duration = DurationText.read(text, bareUnit: .minutes) else {
            throw FieldProblem("'\(text)' is no duration; write one \(DurationText.forms)")
        }
        let (seconds, rest) = duration.components
        guard rest == 0, shortest...longest ~= Int(seconds) else {
            throw FieldProblem("'\(text)': \(rule)")
        }
        return Int(seconds)
    }

    /// Whether a timer may last so many seconds.
    package static func admits(_ seconds: Int) -> Bool { 1...longest ~= seconds }
}
