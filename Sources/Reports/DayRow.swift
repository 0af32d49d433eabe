import CounterModel

/// An archived day as `counter day` prints it.
struct DayRow {
    static let header = ["FROM", "TO", "FINAL", "IN", "OUT", "PEAK HOUR", "HIGHEST", "AVERAGE", "BY"]

    let snapshot: DaySnapshot
    let userId: String?
    let zone: ZoneOffsets

    var cells: [String] {
        [
            zone.text(of: snapshot.from), zone.text(of: snapshot.to), String(snapshot.finalLevel),
            String(snapshot.totalIn), String(snapshot.totalOut),
            snapshot.peakHour.map { "\(zone.shortText(of: $0.start)) (\($0.totalIn))" } ?? "-",
            String(snapshot.highestLevel),
            snapshot.averageOccupancy?.tenths ?? "-", userId ?? "-",
        ]
    }

    var json: String {
        var object = JSONLine()
        object.add("from", zone.rfc3339(snapshot.from))
        object.add("to", zone.rfc3339(snapshot.to))
        object.add("finalLevel", snapshot.finalLevel)
        object.add("totalIn", snapshot.totalIn)
        object.add("totalOut", snapshot.totalOut)
        object.add("peakHour", peakHour)
        object.add("highestLevel", snapshot.highestLevel)
        object.add("averageOccupancy", snapshot.averageOccupancy)
        object.add("userId", userId)
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
