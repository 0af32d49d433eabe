/// A date with a time of day by RFC 3339 and ISO 8601: `2026-11-21T14:03:05.12+01:00`. A space may replace the `T`; seconds
/// and offset may be missing.
struct DateTimeText {
    let local: LocalDateTime
    /// Microseconds of the second; digits beyond the sixth are cut off.
    let fraction: Int
    /// `nil` where the text has no seconds.
    let second: Int?
    /// `nil` where the text has none; then it is a local time.
    let offset: UTCOffset?

    /// - Returns: `nil` for any other text, and for a time that does not exist: `2026-02-30 25:00`.
    init?(_ text: some StringProtocol) {
        var rest = Substring(text)
        let dateText = rest.prefix(10)
        rest = rest.dropFirst(10)
        guard let date = CalendarDate(iso8601: dateText), rest.takeOne(of: "Tt "),
            let hour = rest.takeNumber(2), rest.takeOne(of: ":"), let minute = rest.takeNumber(2)
        else { return nil }
        second = rest.takeOne(of: ":") ? rest.takeNumber(2) ?? -1 : nil
        let fraction = second != nil && rest.takeOne(of: ".,") ? rest.takeFraction() : 0
        offset = UTCOffset(iso8601: rest)
        guard let fraction, rest.isEmpty || offset != nil,
            let local = LocalDateTime(date: date, hour: hour, minute: minute, second: second ?? 0)
        else { return nil }
        (self.local, self.fraction) = (local, fraction)
    }

    /// The moment; `nil` where the text has no offset.
    var moment: Timestamp? {
        offset.map {
            Timestamp(microseconds: Int64(local.clockSeconds - $0.seconds) * 1_000_000 + Int64(fraction))
        }
    }
}

extension Timestamp {
    /// Reads an ISO 8601 time with its offset: `2026-01-14T13:03:59Z`, `…59.120+01:00`.
    ///
    /// - Returns: `nil` for any other text, also for a time without an offset, which is ambiguous.
    package init?(iso8601 text: String) {
        guard let text = DateTimeText(text), text.second != nil, let moment = text.moment else { return nil }
        self = moment
    }

    /// The moment in UTC in ISO 8601 form, with microseconds: `2026-01-14T13:03:59.120000Z`.
    package var iso8601: String {
        let local = ZoneOffsets.utc.local(at: self)
        return "\(local.date)T\(local.timeOfDay).\(fraction.padded(to: 6))Z"
    }
}

extension UTCOffset {
    /// Reads an offset: `Z`, `+01:00`, `-0330`, `+01`.
    ///
    /// - Returns: `nil` for any other text, and for offsets of a day or more.
    init?(iso8601 text: Substring) {
        var rest = text
        if text == "Z" || text == "z" {
            self = .zero
            return
        }
        guard let sign = rest.popFirst(), "+-".contains(sign), let hours = rest.takeNumber(2) else {
            return nil
        }
        let isMinuteDue = rest.takeOne(of: ":") || !rest.isEmpty
        guard let minutes = isMinuteDue ? rest.takeNumber(2) : 0, rest.isEmpty, hours < 24, minutes < 60
        else {
            return nil
        }
        self.init(seconds: (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
    }
}

// MARK: Reading from the left

extension Substring {
    /// Takes the next character, if it is one of `characters`.
    fileprivate mutating func takeOne(of characters: String) -> Bool {
        guard let first, characters.contains(first) else { return false }
        removeFirst()
        return true
    }

    /// Takes `digits` decimal digits.
    fileprivate mutating func takeNumber(_ digits: Int) -> Int? {
        let part = prefix(digits)
        guard part.count == digits, part.allSatisfy(\.isDecimalDigit) else { return nil }
        removeFirst(digits)
        return Int(part)
    }

    /// Takes all decimal digits that follow, as a fraction of a second; returns microseconds.
    fileprivate mutating func takeFraction() -> Int? {
        let digits = prefix(while: \.isDecimalDigit)
        removeFirst(digits.count)
        let six = digits.prefix(6)
        return digits.isEmpty ? nil : Int(six + String(repeating: "0", count: 6 - six.count))
    }
}

extension Character {
    /// 0 to 9 of ASCII only; other scripts have digits too.
    var isDecimalDigit: Bool { isASCII && isNumber }
}
