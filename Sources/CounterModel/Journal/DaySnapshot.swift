/// The totals of an operational day, archived at its end.
package struct DaySnapshot: Hashable, Sendable {
    /// Where it begins: the End Day before it, or the start of the operational day.
    package let from: Timestamp
    package let to: Timestamp
    /// The level at the end, before the reset to 0.
    package let finalLevel: Int
    /// The entries in and out, without corrections.
    package let totalIn, totalOut: Int
    /// The hour with the most entries in, the earliest of several; nil where there were none.
    package let peakHour: PeakHour?
    package let highestLevel: Int
    /// The average level, weighted by time; nil where no time has passed.
    package let averageOccupancy: Double?
    /// Whether it ended by itself, at the start of the next operational day.
    package let isAutomatic: Bool

    package struct PeakHour: Hashable, Sendable {
        package let start: Timestamp
        /// The number of entries in, 1 or more.
        package let totalIn: Int

        package init(start: Timestamp, totalIn: Int) { (self.start, self.totalIn) = (start, totalIn) }
    }

    package init(
        from: Timestamp, to: Timestamp, finalLevel: Int, totalIn: Int, totalOut: Int, peakHour: PeakHour?,
        highestLevel: Int, averageOccupancy: Double?, isAutomatic: Bool = false
    ) {
        (self.from, self.to, self.finalLevel, self.isAutomatic) = (from, to, finalLevel, isAutomatic)
        (self.totalIn, self.totalOut, self.peakHour) = (totalIn, totalOut, peakHour)
        (self.highestLevel, self.averageOccupancy) = (highestLevel, averageOccupancy)
    }
}

/// A day that has ended, as the journal stores it.
package struct EndedDay: Identifiable, Hashable, Sendable {
    /// The position of the reset that ended it.
    package let id: Position
    /// The user who ended it; nil where it ended by itself, or the user is unknown.
    package let userId: String?
    package let snapshot: DaySnapshot

    package init(id: Position, userId: String?, snapshot: DaySnapshot) {
        (self.id, self.userId, self.snapshot) = (id, userId, snapshot)
    }
}
