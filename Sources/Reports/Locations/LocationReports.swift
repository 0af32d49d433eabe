package import CounterModel
package import CounterStore
import Linux

/// A location with its committed state, as `counter location list` prints it.
package struct LocationRow {
    private let location: Location
    private let state: CounterState

    package init(_ location: Location, _ state: CounterState) {
        (self.location, self.state) = (location, state)
    }

    package static var table: Table<LocationRow> {
        // The count stands beside the properties that it depends on.
        Table(
            [
                .init("locationId", "ID") { .text($0.location.id.text) },
                column(.name, "NAME"), column(.timezone, "TIMEZONE"),
                column(.dayStart, "DAY STARTS", words: \.location.dayStartText),
                .init("count", "COUNT") { .number($0.state.currentCount) },
                column(.capacity, "CAPACITY"),
                .init("status", "STATUS", words: \.status) { .text($0.state.status?.rawValue) },
                column(.admitsOverFull), column(.isHidden), column(.openingHours, "OPEN", isOptional: true),
                column(.endsDaysAutomatically, "DAY ENDS") {
                    $0.location.endsDaysAutomatically ? "automatically" : "by hand"
                },
                column(.group, "GROUP", isOptional: true), column(.key, "KEY"),
                column(.target, "TARGET", isOptional: true),
            ],
            titles: [
                "NAME", "KEY", "COUNT", "CAPACITY", "STATUS", "TARGET", "GROUP", "OPEN", "TIMEZONE",
                "DAY STARTS", "DAY ENDS", "ID",
            ])
    }

    private static func column(
        _ property: LocationProperty, _ title: String? = nil, isOptional: Bool = false,
        words: ((LocationRow) -> String)? = nil
    ) -> Table<LocationRow>.Column {
        .init(property.jsonName, title, isOptional: isOptional, words: words) {
            property.value(of: $0.location)
        }
    }

    /// The count and all settings in words, a line each, as `counter location show` prints them.
    package var lines: [String] {
        let facts =
            [("Id", location.id.text), ("Count", "\(state.currentCount)"), ("Status", status)]
            + (LocationProperty.onAdmin + [.isHidden]).map { ($0.title, $0.shown(of: location)) }
        let width = 2 + (facts.map(\.0.count).max() ?? 0)
        return facts.map { title, text in title.padded(to: width) + text.sanitised }
    }

    private var status: String { location.isHidden ? "hidden" : state.statusWord ?? "-" }
}

extension CounterState {
    /// The count as `counter show --json` prints it.
    package var report: JSONLine {
        let isOccupancy = maxCapacity != nil
        return [
            "locationId": .text(locationId.text),
            "count": .number(currentCount),
            "level": .number(isOccupancy ? level : nil),
            "moreLeftThanEntered": .number(isOccupancy ? moreLeftThanEntered : nil),
            "targetCount": .number(target),
            "leftToTarget": .number(leftToTarget),
            "lastUpdated": .time(lastUpdated),
            "lastEventAt": .time(lastEventAt),
        ]
    }
}

extension Array {
    /// What several make together: those of each group of several that is not all of them, then all.
    func totals(by group: (Element) -> String?) -> [(name: String, members: [Element])] {
        if count < 2 { return [] }
        var names: [String] = []
        for case let name? in map(group) where !names.contains(name) { names.append(name) }
        let groups = names.map { name in (name: "total \(name)", members: filter { group($0) == name }) }
        return groups.filter { 2..<count ~= $0.members.count } + [("total", self)]
    }
}

/// An archived day as `counter day` prints it.
package struct DayRow {
    private let snapshot: DaySnapshot
    private let userId: String?
    private let zone: ZoneOffsets

    /// A day in the location's zone, and who ended it; nil where it ended by itself, or the user is unknown.
    package init(snapshot: DaySnapshot, userId: String?, zone: ZoneOffsets) {
        (self.snapshot, self.userId, self.zone) = (snapshot, userId, zone)
    }

    package static func rows(of days: [EndedDay], at location: Location, now: Timestamp) -> [DayRow] {
        let times = days.map(\.snapshot.from) + days.map(\.snapshot.to)
        let zone = location.calendar(for: (times.min() ?? now)...(times.max() ?? now)).zone
        return days.map { DayRow(snapshot: $0.snapshot, userId: $0.userId, zone: zone) }
    }

    package static var table: Table<DayRow> {
        Table([
            .init("from", "FROM", words: { $0.zone.shortText(of: $0.snapshot.from) }) {
                .local($0.snapshot.from, $0.zone)
            },
            .init("to", "TO", words: { $0.zone.shortText(of: $0.snapshot.to, withYear: false) }) {
                .local($0.snapshot.to, $0.zone)
            },
            .init("finalLevel", "COUNT") { .number($0.snapshot.finalLevel) },
            .init("totalIn", "IN") { .number($0.snapshot.totalIn) },
            .init("totalOut", "OUT") { .number($0.snapshot.totalOut) },
            .init("peakHour", "PEAK", words: \.peakHour) { day in
                .object(
                    day.snapshot.peakHour.map {
                        ["start": .local($0.start, day.zone), "totalIn": .number($0.totalIn)]
                    })
            },
            .init("highestLevel", "HIGH") { .number($0.snapshot.highestLevel) },
            .init("averageOccupancy", "AVG", words: { $0.snapshot.averageOccupancy?.tenths ?? "-" }) {
                .decimal($0.snapshot.averageOccupancy?.millionths)
            },
            .init("userId", "BY", words: { $0.snapshot.isAutomatic ? "automatic" : $0.userId ?? "-" }) {
                .text($0.userId)
            },
            .init("isAutomatic") { .flag($0.snapshot.isAutomatic) },
        ])
    }

    private var peakHour: String {
        snapshot.peakHour.map { zone.clock(of: $0.start, withSeconds: false) } ?? "-"
    }
}

extension ReopenedDay {
    package var words: String {
        wasSetSince
            ? "The count stays \(count), because it was set since; later days stay as they were archived."
            : "\(count) becomes \(newCount): the day is open again, with what was counted since."
    }
}
