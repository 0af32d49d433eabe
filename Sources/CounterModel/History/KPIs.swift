package import Linux

package struct KPIs: Hashable, Sendable {
    /// The start of the range, and its end or, where that is later, the present.
    package let from, to: Timestamp
    /// Entries in and out, by devices, files and hand.
    package internal(set) var totalIn = 0, totalOut = 0
    /// By how much corrections moved the level up and down. They are no part of the totals.
    package internal(set) var correctedUp = 0, correctedDown = 0
    package internal(set) var hours: [Flow]
    package internal(set) var bars: [Flow]
    package internal(set) var openingLevel = 0, closingLevel = 0
    /// The highest level, the opening level included; 0 or more where the location is an occupancy at the end.
    package internal(set) var highestLevel = 0
    /// The count of an occupancy, never below 0, weighted by the time in its opening hours, or without them by all of it; nil for a
    /// tally, and where no such time has passed.
    package internal(set) var averageOccupancy: Double?
    /// In order of time.
    package internal(set) var anomalies: [Anomaly] = []

    init(from: Timestamp, to: Timestamp, hours: [Flow], bars: [Flow] = []) {
        (self.from, self.to, self.hours, self.bars) = (from, to, hours, bars)
    }

    /// The sum of all entries, corrections included and resets left out.
    package var net: Int { totalIn - totalOut + correctedUp - correctedDown }

    /// The hour with the most entries in, the earliest of several; nil where there were none.
    package var peakHour: Flow? {
        let most = hours.map(\.totalIn).max() ?? 0
        return most > 0 ? hours.first { $0.totalIn == most } : nil
    }
}

package struct Flow: Hashable, Sendable {
    package let start: Timestamp
    package internal(set) var totalIn = 0, totalOut = 0
}

extension Double {
    /// Rounded to millionths, as averages are written for scripts: the digits after them are the computer's, not the journal's.
    package var millionths: Double {
        let scaled = (self * 1_000_000).rounded()
        return scaled.isFinite ? scaled / 1_000_000 : self
    }

    /// Rounded to tenths, as averages are printed: `-0.5`; never `-0.0`.
    package var tenths: String {
        let rounded = (self * 10).rounded() / 10
        return "\(rounded == 0 ? 0 : rounded)"
    }
}

extension DaySnapshot {
    /// The snapshot of a day with its KPIs, its exact start, and when it is ended.
    package init(_ kpis: KPIs, from: Timestamp, to: Timestamp, isAutomatic: Bool = false) {
        self.init(
            from: from, to: to, finalLevel: kpis.closingLevel, totalIn: kpis.totalIn,
            totalOut: kpis.totalOut,
            peakHour: kpis.peakHour.map { PeakHour(start: $0.start, totalIn: $0.totalIn) },
            highestLevel: kpis.highestLevel, averageOccupancy: kpis.averageOccupancy, isAutomatic: isAutomatic
        )
    }
}

/// Something unusual in a location's history that its operator should check.
package enum Anomaly: Hashable, Sendable {
    /// The level was above 110 % of the capacity; in whole minutes.
    case overcrowding(Range<Timestamp>, highest: Int)
    /// The level was below 0, so some arrivals were not counted; in whole minutes.
    case negativeDrift(Range<Timestamp>, lowest: Int)
    /// No event and no connected device for longer than the threshold.
    case silence(Range<Timestamp>)
    /// Sequence numbers of a device are missing; `at` is when the event that revealed it arrived.
    case sequenceGap(deviceId: Identifier, first: Int, last: Int, at: Timestamp)
    case restart(deviceId: Identifier, epoch: Int, at: Timestamp)
    /// An event arrived with a time 5 minutes or more in the future; it counts at the time it was received.
    case clockSkew(deviceId: Identifier, timestamp: Timestamp, receivedAt: Timestamp)

    /// When it was; empty where it was noticed at one moment.
    package var range: Range<Timestamp> {
        switch self {
        case .overcrowding(let range, _), .negativeDrift(let range, _), .silence(let range): range
        case .sequenceGap(_, _, _, let at), .restart(_, _, let at), .clockSkew(_, _, let at): at..<at
        }
    }
}
