/// What an operational day came to, archived when somebody ended it.
public struct DaySnapshot: Hashable, Codable, Sendable {
    /// Where it begins: the End Day before it, or the start of the operational day.
    public let from: Timestamp
    /// When it was ended.
    public let to: Timestamp
    /// The level that it ended with, before the reset to 0.
    public let finalLevel: Int
    /// The entries in, without corrections by hand.
    public let totalIn: Int
    /// The entries out, without corrections by hand.
    public let totalOut: Int
    /// The hour with the most entries in, the earliest of several; nil where nobody came.
    public let peakHour: PeakHour?
    /// The highest level that was reached.
    public let highestLevel: Int
    /// The level, weighted by the time it lasted; nil where no time had passed.
    public let averageOccupancy: Double?

    /// The busiest hour.
    public struct PeakHour: Hashable, Codable, Sendable {
        /// When it begins.
        public let start: Timestamp
        /// How many came in, 1 or more.
        public let totalIn: Int

        /// Creates a peak.
        public init(start: Timestamp, totalIn: Int) {
            self.start = start
            self.totalIn = totalIn
        }
    }

    /// Creates a snapshot.
    public init(
        from: Timestamp, to: Timestamp, finalLevel: Int, totalIn: Int, totalOut: Int, peakHour: PeakHour?,
        highestLevel: Int, averageOccupancy: Double?
    ) {
        self.from = from
        self.to = to
        self.finalLevel = finalLevel
        self.totalIn = totalIn
        self.totalOut = totalOut
        self.peakHour = peakHour
        self.highestLevel = highestLevel
        self.averageOccupancy = averageOccupancy
    }
}

extension DaySnapshot {
    /// What is archived of a day.
    ///
    /// - parameters:
    ///     - kpis: Of the day.
    ///     - from: Where it begins, exactly.
    ///     - to: When it is ended.
    public init(_ kpis: KPIs, from: Timestamp, to: Timestamp) {
        self.init(
            from: from, to: to, finalLevel: kpis.closingLevel, totalIn: kpis.totalIn,
            totalOut: kpis.totalOut,
            peakHour: kpis.peakHour.map { PeakHour(start: $0.start, totalIn: $0.totalIn) },
            highestLevel: kpis.highestLevel, averageOccupancy: kpis.averageOccupancy)
    }
}

/// A day that was ended, as the journal holds it.
public struct EndedDay: Identifiable, Hashable, Sendable {
    /// The position of the reset that ended it.
    public let id: Position
    /// Who ended it; nil where that is not known.
    public let userId: String?
    /// What it came to.
    public let snapshot: DaySnapshot

    /// Creates an ended day.
    public init(id: Position, userId: String?, snapshot: DaySnapshot) {
        self.id = id
        self.userId = userId
        self.snapshot = snapshot
    }
}
