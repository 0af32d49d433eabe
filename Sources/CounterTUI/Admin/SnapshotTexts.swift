public import CounterModel

/// What an operational day came to, in words.
public struct SnapshotTexts {
    private let snapshot: DaySnapshot
    private let zone: ZoneOffsets

    /// The words for a snapshot, with times of `zone`.
    public init(_ snapshot: DaySnapshot, zone: ZoneOffsets) {
        self.snapshot = snapshot
        self.zone = zone
    }

    /// When it ended.
    var end: String { zone.text(of: snapshot.to) }

    /// From when to when.
    public var span: String { "\(zone.text(of: snapshot.from)) to \(end)" }

    /// All else, apart from each other by commas.
    public var facts: String {
        var facts = ["final \(snapshot.finalLevel)", "in \(snapshot.totalIn)", "out \(snapshot.totalOut)"]
        facts.append("highest \(snapshot.highestLevel)")
        if let average = snapshot.averageOccupancy { facts.append("average \(average.tenths)") }
        if let peak = snapshot.peakHour {
            facts.append("peak \(zone.local(at: peak.start).timeOfDay.prefix(5)) with \(peak.totalIn) in")
        }
        return facts.joined(separator: ", ")
    }
}
