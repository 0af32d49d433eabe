/// The hours of the week in which a location is open, by its own clocks.
///
/// Written as `Mon-Fri 09:00-18:00, Sat 10:00-16:00`. Days may be a list (`Mon, Wed 09:00-12:00`) or `daily`; several times may
/// follow them (`Mon 09:00-12:00 13:00-18:00`), and whole hours may stand without minutes (`Mon 9-18`). A time that ends at or before its start goes on after midnight
/// (`Fri 20:00-02:00`).
package struct OpeningHours: Hashable, Sendable, LosslessStringConvertible {
    /// A time of one weekday, in minutes from midnight. The end may be on the next day.
    private typealias Period = Range<Int>

    private static let minutesOfDay = 1440
    /// In characters.
    private static let maxLength = 500

    /// The times of each weekday from Monday on, in order.
    private let days: [[Period]]

    package init?(_ text: String) {
        var days = [Set<Period>](repeating: [], count: 7)
        var selected: Set<Int> = []
        var hasTimes = true
        guard text.count <= Self.maxLength else { return nil }
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            var words = item.split(separator: " ")
            guard let first = words.first else { return nil }
            if let named = Self.days(String(first)) {
                selected = hasTimes ? named : selected.union(named)
                words.removeFirst()
            }
            let periods = words.compactMap(Self.period)
            guard periods.count == words.count, !selected.isEmpty else { return nil }
            hasTimes = !periods.isEmpty
            for day in selected { days[day].formUnion(periods) }
        }
        guard hasTimes else { return nil }
        self.days = days.map { day in
            day.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        }
    }

    /// The hours in the form in which they are read; days with the same times stand together.
    package var description: String {
        let names = CalendarDate.dayNames.map { $0.prefix(3) }
        var parts: [String] = []
        var day = 0
        while day < 7 {
            let last = (day..<7).last { days[day...$0].allSatisfy { $0 == days[day] } } ?? day
            if !days[day].isEmpty {
                let name = day == last ? "\(names[day])" : "\(names[day])-\(names[last])"
                parts.append(([name] + days[day].map(Self.text)).joined(separator: " "))
            }
            day = last + 1
        }
        return parts.joined(separator: ", ")
    }

    /// When the location is open within a range: in order, without overlaps.
    package func openings(in range: Range<Timestamp>, _ zone: ZoneOffsets) -> [Range<Timestamp>] {
        guard !range.isEmpty else { return [] }
        // A day before the range may end after midnight.
        let first = zone.local(at: range.lowerBound).date.advanced(by: -2)
        let last = zone.local(at: range.upperBound).date.advanced(by: 1)
        var openings: [Range<Timestamp>] = []
        for date in sequence(first: first, next: { $0.advanced(by: 1) }).prefix(while: { $0 <= last }) {
            for period in days[date.weekday] {
                let start = max(zone.moment(of: date, minute: period.lowerBound), range.lowerBound)
                let end = min(zone.moment(of: date, minute: period.upperBound), range.upperBound)
                guard start < end else { continue }
                if let previous = openings.last, previous.upperBound >= start {
                    openings[openings.count - 1] = previous.lowerBound..<max(previous.upperBound, end)
                } else {
                    openings.append(start..<end)
                }
            }
        }
        return openings
    }

    // MARK: Reading

    /// `Mon`, `Mon-Fri`, `Sa-Mo`, `Saturday`, `daily`, as weekdays from Monday (0) on.
    private static func days(_ text: String) -> Set<Int>? {
        if text.lowercased() == "daily" { return Set(0..<7) }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { name in
            let names = CalendarDate.dayNames
            return name.count < 2 ? nil : names.firstIndex { $0.lowercased().hasPrefix(name.lowercased()) }
        }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
            return nil
        }
        return Set((0...((last - first + 7) % 7)).map { (first + $0) % 7 })
    }

    private static func period(_ text: Substring) -> Period? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(minutes)
        guard ends.count == 2, let start = ends[0], let end = ends[1], start < minutesOfDay else {
            return nil
        }
        return start..<(end > start ? end : end + minutesOfDay)
    }

    /// `9`, `9:30`, `24:00`, as minutes from midnight.
    package static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, (1...2).contains(parts[0].count), parts.count == 1 || parts[1].count == 2,
            parts.joined().allSatisfy(\.isDecimalDigit), let hour = Int(parts[0]),
            let minute = parts.count == 1 ? 0 : Int(parts[1]), minute < 60, hour * 60 + minute <= minutesOfDay
        else { return nil }
        return hour * 60 + minute
    }

    private static func text(_ period: Period) -> String {
        let end = period.upperBound > minutesOfDay ? period.upperBound - minutesOfDay : period.upperBound
        return [period.lowerBound, end].map { "\(($0 / 60).padded(to: 2)):\(($0 % 60).padded(to: 2))" }
            .joined(separator: "-")
    }
}

extension ZoneOffsets {
    /// The first moment at which clocks show a time, in minutes from the midnight of a date; 1440 and more is on the next day.
    package func moment(of date: CalendarDate, minute: Int) -> Timestamp {
        firstMoment(
            showing: LocalDateTime(clockSeconds: date.dayNumber * LocalDateTime.secondsOfDay + minute * 60))
    }
}
