import CounterModel
import Glibc

extension Timestamp {
    /// Reads a time by ISO 8601 with its offset: `2026-01-14T13:03:59Z`, `…59.120+01:00`.
    ///
    /// - Returns: `nil` where it is none, or without an offset, for a time of day alone means nothing elsewhere.
    init?(iso8601 text: String) {
        var rest = Substring(text)
        func number(_ digits: Int) -> Int? {
            let part = rest.prefix(digits)
            guard part.count == digits, part.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
            rest = rest.dropFirst(digits)
            return Int(part)
        }
        func skip(_ separators: String) -> Bool {
            guard let first = rest.first, separators.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
            skip("Tt "),
            let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2)
        else { return nil }
        let fraction = skip(".,") ? Self.takeFraction(&rest) : 0
        guard let fraction, let offset = Self.offset(rest),
            let seconds = Self.seconds(year, month, day, hour, minute, second)
        else { return nil }
        self.init(microseconds: (seconds - offset) * 1_000_000 + fraction)
    }

    /// Microseconds of a fraction of a second; digits beyond the sixth are cut off.
    private static func takeFraction(_ rest: inout Substring) -> Int64? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        let six = digits.prefix(6)
        return digits.isEmpty ? nil : Int64(six + String(repeating: "0", count: 6 - six.count))
    }

    /// Seconds east of UTC of `Z`, `+01:00`, `-0330`.
    private static func offset(_ text: Substring) -> Int64? {
        if text == "Z" || text == "z" { return 0 }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard let sign = text.first, "+-".contains(sign), digits.count == 4 || digits.count == 2,
            digits.allSatisfy({ $0.isASCII && $0.isNumber }), let hours = Int64(digits.prefix(2)),
            let minutes = Int64(digits.dropFirst(2).isEmpty ? "0" : digits.dropFirst(2)), hours < 24,
            minutes < 60
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// The corresponding C function is `timegm(3)`, which would take a 31st of February for the 3rd of March.
    private static func seconds(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
    ) -> Int64? {
        var parts = tm()
        parts.tm_year = CInt(year - 1900)
        parts.tm_mon = CInt(month - 1)
        parts.tm_mday = CInt(day)
        parts.tm_hour = CInt(hour)
        parts.tm_min = CInt(minute)
        parts.tm_sec = CInt(second)
        let seconds = timegm(&parts)
        let isUnchanged = parts.tm_mon == month - 1 && parts.tm_mday == day
        guard isUnchanged, hour < 24, minute < 60, second < 60 else { return nil }
        return Int64(seconds)
    }
}
