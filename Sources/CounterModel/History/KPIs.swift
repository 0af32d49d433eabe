/// The figures of a range of a location's history.
public struct KPIs: Hashable, Sendable {
    /// The start of the range, and its end or, where that is later, the present.
    public let from, to: Timestamp
    /// Entries in and out, by devices, files and hand.
    public internal(set) var totalIn = 0, totalOut = 0
    /// By how much corrections moved the level up and down. They are no part of the totals.
    public internal(set) var correctedUp = 0, correctedDown = 0
    /// Entries in and out for each hour of the range.
    public internal(set) var hours: [HourFlow]
    /// The level at the start and at the end.
    public internal(set) var openingLevel = 0, closingLevel = 0
    /// The highest level, the opening level included; 0 or more where the location is an occupancy at the end.
    public internal(set) var highestLevel = 0
    /// The count weighted by time, which is never below 0 for an occupancy; nil where no time has passed.
    public internal(set) var averageOccupancy: Double?
    /// The anomalies, in order of time.
    public internal(set) var anomalies: [Anomaly] = []

    init(from: Timestamp, to: Timestamp, hours: [HourFlow]) {
        self.from = from
        self.to = to
        self.hours = hours
    }

    /// The sum of all entries, corrections included and resets left out.
    public var net: Int { totalIn - totalOut + correctedUp - correctedDown }

    /// The hour with the most entries in, the earliest of several; nil where there were none.
    public var peakHour: HourFlow? {
        let most = hours.map(\.totalIn).max() ?? 0
        return most > 0 ? hours.first { $0.totalIn == most } : nil
    }
}

/// Entries in and out of one hour.
public struct HourFlow: Hashable, Sendable {
    /// When the hour begins.
    public let start: Timestamp
    /// Entries in and out, as in `KPIs`.
    public internal(set) var totalIn = 0, totalOut = 0

    /// An hour without an entry.
    public init(start: Timestamp) { self.start = start }
}
