package import CounterModel
import Glibc

/// Offsets, days and hours as Python's zoneinfo computes them: the content of `reference.csv`, which `make-reference.py`
/// writes. All times are in seconds since 1970, UTC; offsets are in seconds east of UTC.
package struct DayReference {
    package struct Zone {
        package let name: String
        fileprivate let initial: UTCOffset
        fileprivate var changes: [ZoneOffsets.Change] = []
        package fileprivate(set) var days: [Day] = []

        package var offsets: ZoneOffsets { ZoneOffsets(initial: initial, changes: changes) }
    }

    /// A day: its date, the hour at which days start, and its hours where the file has them.
    package struct Day: Hashable {
        package let startHour: Int
        package let date: String
        package let start: Int
        package let end: Int
        package fileprivate(set) var hours: [Hour] = []
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

    package private(set) var zones: [Zone] = []

    /// Each row belongs to the zone, and each hour to the day, that was named last.
    package init() throws(SupportError) {
        for line in try Self.text().split(separator: "\n") where !line.hasPrefix("#") {
            let texts = line.split(separator: ",").map(String.init)
            // 0 where a field is no number.
            let numbers = texts.map { Int($0) ?? 0 }
            let (zone, day) = (zones.count - 1, (zones.last?.days.count ?? 0) - 1)
            switch texts[0] {
            case "zone": zones.append(Zone(name: texts[1], initial: UTCOffset(seconds: numbers[2])))
            case "change":
                let offset = UTCOffset(seconds: numbers[3])
                zones[zone].changes.append(.init(start: Timestamp(seconds: numbers[2]), offset: offset))
            case "day":
                zones[zone].days.append(
                    Day(startHour: numbers[2], date: texts[3], start: numbers[4], end: numbers[5]))
            default:
                zones[zone].days[day].hours.append(
                    Hour(
                        date: texts[2], hour: numbers[3], offset: numbers[4], start: numbers[5],
                        end: numbers[6])
                )
            }
        }
    }

    package subscript(name: String) -> Zone? { zones.first { $0.name == name } }

    private static func text() throws(SupportError) -> String {
        let path = #filePath.replacing("DayReference.swift", with: "reference.csv")
        guard let text = contents(of: path) else { throw .system(call: "read", subject: path, errno: errno) }
        return text
    }
}
