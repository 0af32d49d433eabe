package import CounterModel
import Transfer

/// An archived day as `counter day` prints it.
package struct DayRow {
    /// The columns of a table.
    package static let header = ["FROM", "TO", "FINAL", "IN", "OUT", "PEAK HOUR", "HIGHEST", "AVERAGE", "BY"]

    private let snapshot: DaySnapshot
    private let userId: String?
    private let zone: ZoneOffsets

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - snapshot: The archived figures.
    ///   - userId: The user who ended the day; nil where it ended by itself, or the user is unknown.
    ///   - zone: The location's zone.
    package init(snapshot: DaySnapshot, userId: String?, zone: ZoneOffsets) {
        self.snapshot = snapshot
        self.userId = userId
        self.zone = zone
    }

    /// The cells of a table's row.
    package var cells: [String] {
        [
            zone.text(of: snapshot.from), zone.text(of: snapshot.to), String(snapshot.finalLevel),
            String(snapshot.totalIn), String(snapshot.totalOut),
            snapshot.peakHour.map { "\(zone.shortText(of: $0.start)) (\($0.totalIn))" } ?? "-",
            String(snapshot.highestLevel),
            snapshot.averageOccupancy?.tenths ?? "-", snapshot.isAutomatic ? "automatic" : userId ?? "-",
        ]
    }

    /// The day as a JSON object.
    package var json: String {
        var object = JSONLine()
        object.add("from", zone.rfc3339(snapshot.from))
        object.add("to", zone.rfc3339(snapshot.to))
        object.add("finalLevel", snapshot.finalLevel)
        object.add("totalIn", snapshot.totalIn)
        object.add("totalOut", snapshot.totalOut)
        object.add("peakHour", peakHour)
        object.add("highestLevel", snapshot.highestLevel)
        object.add("averageOccupancy", snapshot.averageOccupancy?.millionths)
        object.add("userId", userId)
        object.add("isAutomatic", snapshot.isAutomatic)
        return object.text
    }

    private var peakHour: JSONLine? {
        snapshot.peakHour.map { peak in
            var object = JSONLine()
            object.add("start", zone.rfc3339(peak.start))
            object.add("totalIn", peak.totalIn)
            return object
        }
    }
}
