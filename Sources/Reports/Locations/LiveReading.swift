package import CounterModel
package import CounterStore
import Linux

/// What the journal says of a location, for the Live screen.
package struct LiveReading {
    private let location: Location
    private let state: CounterState
    private let flows: LiveFlows
    private let devices: LocationDevices
    /// The end of the last minute.
    package let end: Timestamp

    /// Reads again what may have changed since an earlier reading.
    ///
    /// - Throws: `JournalError`
    package init(of location: Location, in journal: SQLiteJournal, at now: Timestamp, after old: LiveReading?)
        throws(JournalError)
    {
        self.location = location
        state = try journal.stateOrZero(of: location.id)
        devices = try LocationDevices(of: location.id, in: journal)
        end = now.startOfMinute.advanced(minutes: 1)
        if let old, old.location == location, old.state.position == state.position, old.end == end {
            flows = old.flows
        } else {
            flows = try LiveFlows(of: location, in: journal, at: now, end: end)
        }
    }
}

extension LiveReading {
    /// The card at a time, which may be later than the reading. Ages grow with time only while the terminal is in the
    /// foreground.
    package func card(
        at now: Timestamp, staleAfter: Duration, isInForeground: Bool
    ) -> LiveCard {
        var card = LiveCard(id: location.id, name: location.name, state: state)
        card.key = location.key
        card.today = flows.today
        card.lastHour = flows.lastHour
        card.problem = flows.problem
        card.freshness = freshness(at: now, staleAfter: staleAfter, isInForeground: isInForeground)
        card.staleDevices = expected.filter { $0.isStale(after: staleAfter.microseconds, now: now) }.map(
            \.name)
        return card
    }

    /// When the card changes without an event; `nil` where never.
    package func nextChange(after now: Timestamp, staleAfter: Duration, isInForeground: Bool) -> Timestamp? {
        let signs = expected.filter { !$0.isConnected }.map(\.lastSeenAt) + [lastSign]
        var changes = signs.compactMap { $0?.microseconds.advanced(by: Int(staleAfter.microseconds) + 1) }
        if isInForeground {
            changes.append(end.microseconds)
            if !devices.isConnected, let lastSign {
                let age = Self.age(of: lastSign, at: now)
                let next = age + Freshness.seconds(untilChangeOf: age)
                changes.append(lastSign.microseconds + Int64(next) * 1_000_000)
            }
        }
        return changes.filter { $0 > now.microseconds }.min().map(Timestamp.init(microseconds:))
    }

    private var expected: [Device] { devices.expected(on: flows.day) }

    /// The time of the last event or of a device's last sign of life, whichever is later.
    private var lastSign: Timestamp? { [devices.lastSeenAt, state.lastEventAt].compactMap(\.self).max() }

    private func freshness(at now: Timestamp, staleAfter: Duration, isInForeground: Bool) -> Freshness? {
        if devices.isConnected { return Freshness(.live, .now) }
        guard let lastSign else { return nil }
        let isOld = now.microseconds - lastSign.microseconds > staleAfter.microseconds
        let kind: Freshness.Kind = !isOld ? .live : expected.isEmpty ? .quiet : .stale
        let moment: Freshness.Moment =
            isInForeground ? .ago(seconds: Self.age(of: lastSign, at: now)) : .at(lastSign.localTime)
        return Freshness(kind, moment)
    }

    /// The age in seconds; 0 where a clock runs ahead.
    private static func age(of sign: Timestamp, at now: Timestamp) -> Int {
        Int(max(0, now.microseconds - sign.microseconds) / 1_000_000)
    }
}
