/// What a range of a location's history came to.
public struct KPIs: Hashable, Sendable {
    /// From when, the start of a minute, to when: the end of the range, or now.
    public let from, to: Timestamp
    /// Entries in and out, of devices and files; of a tally those by hand too.
    public internal(set) var totalIn = 0, totalOut = 0
    /// Corrections by hand; 0 for a tally, where counting by hand is counting.
    public internal(set) var manualIn = 0, manualOut = 0
    /// In and out for each hour of the range.
    public internal(set) var hours: [HourFlow]
    /// The level at the start and at the end.
    public internal(set) var openingLevel = 0, closingLevel = 0
    /// The highest that the level stood, the start included; 0 or more where it is an occupancy's at the end.
    public internal(set) var highestLevel = 0
    /// The count weighted by the time it lasted; of an occupancy never below 0. nil where no time has passed.
    public internal(set) var averageOccupancy: Double?
    /// What was odd, in the order of time.
    public internal(set) var anomalies: [Anomaly] = []

    init(from: Timestamp, to: Timestamp, hours: [HourFlow]) {
        self.from = from
        self.to = to
        self.hours = hours
    }

    /// What all entries add to the level, corrections included; resets are no entries.
    public var net: Int { totalIn - totalOut + manualIn - manualOut }

    /// The hour with the most entries in, the earliest of several; nil where nobody came.
    public var peakHour: HourFlow? {
        let most = hours.map(\.totalIn).max() ?? 0
        return most > 0 ? hours.first { $0.totalIn == most } : nil
    }
}

/// In and out of one hour.
public struct HourFlow: Hashable, Sendable {
    /// When the hour begins.
    public let start: Timestamp
    /// Entries in and out, as in `KPIs`.
    public internal(set) var totalIn = 0, totalOut = 0

    /// An hour without an entry.
    public init(start: Timestamp) { self.start = start }
}
