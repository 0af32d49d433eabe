package import CounterModel
import Transfer

/// A location as `counter location list` prints it.
package struct LocationRow {
    /// The columns of a table.
    package static let header = [
        "NAME", "KEY", "COUNT", "CAPACITY", "STATUS", "TIMEZONE", "DAY STARTS", "ID",
    ]

    private let location: Location
    private let state: CounterState

    /// The row of a location with its committed state.
    package init(_ location: Location, _ state: CounterState) {
        self.location = location
        self.state = state
    }

    /// The cells of a table's row.
    package var cells: [String] {
        let capacity = location.maxCapacity.map(String.init) ?? "-"
        let status = location.isHidden ? "hidden" : state.status?.rawValue ?? "-"
        let hour = location.dayStart < 10 ? "0\(location.dayStart):00" : "\(location.dayStart):00"
        return [
            location.name, location.key?.description ?? "-", String(state.currentCount), capacity, status,
            location.timezone, hour, location.id.text,
        ]
    }

    /// The location as a JSON object.
    package var json: String {
        var object = JSONLine()
        object.add("locationId", location.id)
        object.add("name", location.name)
        object.add("timezone", location.timezone)
        object.add("dayStart", location.dayStart)
        object.add("count", state.currentCount)
        object.add("maxCapacity", location.maxCapacity)
        object.add("status", state.status?.rawValue)
        object.add("admitsOverFull", location.admitsOverFull)
        object.add("isHidden", location.isHidden)
        object.add("openingHours", location.openingHours?.description)
        object.add("endsDaysAutomatically", location.endsDaysAutomatically)
        object.add("group", location.group)
        object.add("key", location.key?.description)
        object.add("targetCount", location.target)
        return object.text
    }
}
