/// Reads and writes durations, for options, the configuration and the fields of screens.
///
/// | text | duration |
/// |---|---|
/// | `150ms`, `90s`, `5m`, `5min`, `2h`, `1.5s` | a number with its unit |
/// | `1h30m`, `1m30s` | several of them, the larger unit first |
/// | `00:05:00` | hours, minutes, seconds |
/// | `5` | in the unit that the caller names; nothing where it names none |
package enum DurationText {
    /// A unit that a number may have.
    package enum Unit: Int64, CaseIterable, Sendable {
        /// The raw values are microseconds.
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

    /// The forms, for error messages.
    package static let forms = "such as 5m, 1h30m, 90s or 00:05:00"

    /// Numbers above this are refused, so that sums stay within `Int64`.
    private static let largestNumber = 1_000_000_000.0

    /// Reads a duration.
    ///
    /// - parameters:
    ///     - text: Without spaces; letters may be capitals.
    ///     - bareUnit: The unit of a number without one; nil refuses such a number.
    /// - returns: 0 or more; nil where the text is no duration.
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
        let digits = text.prefix { isDigit($0) || $0 == "." }
        guard digits.first.map(isDigit) == true, digits.last.map(isDigit) == true,
            let number = Double(digits), number <= largestNumber
        else { return nil }
        text.removeFirst(digits.count)
        return number
    }

    /// `HH:MM:SS`; the hours may have any number of digits.
    private static func clock(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ 1...6 ~= $0.count && $0.allSatisfy(isDigit) }),
            parts[1...].allSatisfy({ $0.count == 2 }), let hours = Int64(parts[0]),
            let minutes = Int64(parts[1]), minutes < 60, let seconds = Int64(parts[2]), seconds < 60
        else { return nil }
        return .seconds(hours * 3600 + minutes * 60 + seconds)
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    /// Whole seconds, 0 or more, with their units, as `read` reads them: `5m`, `1h30m`, `1m30s`, `0s`.
    package static func short(seconds: Int) -> String {
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
        let text = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
        return text.isEmpty ? "0s" : text
    }

    /// Whole seconds, 0 or more, as a clock shows them: `0:07`, `5:00`, `1:30:00`.
    package static func clock(seconds: Int) -> String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let rest = ":\(two(seconds % 60))"
        return hours > 0 ? "\(hours):\(two(minutes))\(rest)" : "\(minutes)\(rest)"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
