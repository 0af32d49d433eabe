package import CounterModel
package import CounterStore

/// The offer to end the day before, which nobody ended, or word that it is too late for that. It is read from the journal when a
/// day begins and, while it stands, after each change.
package struct OverdueDayOffer {
    package struct Told: Hashable, Sendable {
        /// The problem, and what to do.
        package let lines: [String]
        /// Whether the day can be ended at its own end.
        package let mayEnd: Bool
    }

    /// What the last reading is for; it holds until then.
    private var key: (location: Location, state: CounterState)?
    private var until = Timestamp(microseconds: .min)
    private var told: Told?

    /// When the day of the last reading ends, after which it is to be read again; nil where nothing was read.
    package var dayEnd: Timestamp? { key == nil ? nil : until }

    /// Nothing was read yet.
    package init() {}

    /// The offer to end the day before.
    ///
    /// - Parameters:
    ///   - location: The location.
    ///   - state: Its committed state.
    ///   - journal: The journal; where it is a viewer's, nothing is offered.
    ///   - now: The time of this machine's clock.
    /// - Returns: The offer; nil where there is nothing to tell.
    package mutating func offer(
        of location: Location, _ state: CounterState, in journal: SQLiteJournal, at now: Timestamp
    ) -> Told? {
        if journal.role == .viewer { return nil }
        let isSame = key.map { $0.location == location && (told == nil || $0.state == state) }
        if isSame == true, now < until { return told }
        let wasTold = told != nil && key?.location == location && now < until
        key = (location, state)
        let calendar = location.calendar(about: now)
        until = calendar.day(containing: now).end
        // Where reading fails, nothing is offered; the next day's first drawing tries again.
        let day = try? journal.overdueDay(of: location, now: now)
        told =
            day.map { offer($0, location) }
            ?? (try? leftOver(of: location, in: journal, at: now, wasTold: wasTold))
        return told
    }

    private func offer(_ day: OverdueDay, _ location: Location) -> Told {
        let name = day.isYesterday ? "Yesterday" : "\(day.day.date)"
        let level = location.maxCapacity == nil ? "at \(day.count)" : "\(day.count) inside"
        return Told(lines: ["\(name) was not ended (\(level)). E ends it."], mayEnd: true)
    }

    /// What an occupancy whose days are ended by hand counts from before today, though something was counted today: the day
    /// before can no longer be ended. A correction ends the matter. Where no day was ever ended, it only follows an offer that
    /// was shown.
    private func leftOver(
        of location: Location, in journal: SQLiteJournal, at now: Timestamp, wasTold: Bool
    ) throws -> Told? {
        guard location.maxCapacity != nil, !location.endsDaysAutomatically else { return nil }
        let lastEnd = try journal.endedDays(of: location.id).map(\.snapshot.to).max()
        let (day, kpis) = try journal.today(of: location, silentAfter: .zero, now: now)
        guard lastEnd.map({ $0 < day.start }) ?? wasTold, kpis.openingLevel > 0,
            kpis.correctedUp + kpis.correctedDown == 0
        else {
            return nil
        }
        return Told(
            lines: [
                "The last day was not ended: \(kpis.openingLevel) from before today are in the count.",
                "C in Admin sets it right.",
            ], mayEnd: false)
    }
}
