import CounterModel

/// The totals of an operational day, in words.
struct SnapshotTexts {
    private let snapshot: DaySnapshot
    private let zone: ZoneOffsets

    /// The texts of a snapshot, with times in `zone`.
    init(_ snapshot: DaySnapshot, zone: ZoneOffsets) {
        self.snapshot = snapshot
        self.zone = zone
    }

    /// The end of the day.
    var end: String { zone.text(of: snapshot.to) }

    /// The start and the end.
    var span: String { "\(zone.text(of: snapshot.from)) to \(end)" }

    /// All other facts, separated by commas.
    var facts: String {
        var facts = ["final \(snapshot.finalLevel)", "in \(snapshot.totalIn)", "out \(snapshot.totalOut)"]
        facts.append("highest \(snapshot.highestLevel)")
        if let average = snapshot.averageOccupancy { facts.append("average \(average.tenths)") }
        if let peak = snapshot.peakHour {
            facts.append("peak \(zone.local(at: peak.start).timeOfDay.prefix(5)) with \(peak.totalIn) in")
        }
        return facts.joined(separator: ", ")
    }
}
