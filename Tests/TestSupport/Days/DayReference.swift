package import CounterModel
import Glibc

/// Offsets, days and hours as Python's zoneinfo computes them: the content of `reference.csv`, which `make-reference.py`
/// writes. All times are in seconds since 1970, UTC; offsets are in seconds east of UTC.
package struct DayReference {
    package struct Zone {
        package let name: String
        package let offsets: ZoneOffsets
        package let days: [Day]
    }

    /// A day: its date, the hour at which days start, and its hours where the file has them.
    package struct Day: Hashable {
        package let startHour: Int
        package let date: String
        package let start: Int
        package let end: Int
        package fileprivate(set) var hours: [Hour]
    }

    package struct Hour: Hashable {
        package let date: String
        package let hour: Int
        package let offset: Int
        package let start: Int
        package let end: Int

        package init(date: String, hour: Int, offset: Int, start: Int, end: Int) {
            (self.date, self.hour, self.offset, self.start, self.end) = (date, hour, offset, start, end)
        }
    }

    /// The period whose offset changes the file contains: the years from 2005 to 2026.
    package static let years = Timestamp(seconds: 1_104_537_600)..<Timestamp(seconds: 1_798_761_600)

    package let zones: [Zone]

    package init() throws(SupportError) {
        let rows = try Self.text().split(separator: "\n").filter { !$0.hasPrefix("#") }.map(Row.init)
        let names = rows.filter { $0.kind == "zone" }.map(\.zone)
        zones = names.map { name in Zone(name: name, rows: rows.filter { $0.zone == name }) }
    }

    package subscript(name: String) -> Zone? { zones.first { $0.name == name } }

    private static func text() throws(SupportError) -> String {
        let path = #filePath.replacing("DayReference.swift", with: "reference.csv")
        guard let text = contents(of: path) else { throw .system(call: "read", subject: path, errno: errno) }
        return text
    }
}

private struct Row {
    let kind: String
    let zone: String
    /// The fields after kind and zone.
    let texts: [String]
    /// The same as numbers; 0 where a field is no number.
    let numbers: [Int]

    init(_ line: some StringProtocol) {
        let fields = line.split(separator: ",").map { String($0) }
        (kind, zone, texts) = (fields[0], fields[1], Array(fields[2...]))
        numbers = texts.map { Int($0) ?? 0 }
    }
}

extension DayReference.Zone {
    fileprivate init(name: String, rows: [Row]) {
        var initial = UTCOffset.zero
        var changes: [ZoneOffsets.Change] = []
        var days: [DayReference.Day] = []
        for row in rows {
            switch row.kind {
            case "zone": initial = UTCOffset(seconds: row.numbers[0])
            case "change":
                let offset = UTCOffset(seconds: row.numbers[1])
                changes.append(.init(start: Timestamp(seconds: row.numbers[0]), offset: offset))
            case "day": days.append(DayReference.Day(row))
            default: days[days.count - 1].hours.append(DayReference.Hour(row))
            }
        }
        self.init(name: name, offsets: ZoneOffsets(initial: initial, changes: changes), days: days)
    }
}

extension DayReference.Day {
    fileprivate init(_ row: Row) {
        startHour = row.numbers[0]
        date = row.texts[1]
        (start, end, hours) = (row.numbers[2], row.numbers[3], [])
    }
}

extension DayReference.Hour {
    fileprivate init(_ row: Row) {
        date = row.texts[0]
        (hour, offset, start, end) = (row.numbers[1], row.numbers[2], row.numbers[3], row.numbers[4])
    }
}
