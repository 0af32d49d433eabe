package import CounterModel
package import CounterStore
import Linux

/// What the journal says of a location, for the Live screen.
package struct LiveReading {
    private let location: Location
    private let state: CounterState
    private let flows: LiveFlows
    private let last: HistoryRow?
    private let devices: LocationDevices
    private let hours: ReportingHours
    /// The end of the last minute.
    package let end: Timestamp

    /// Reads again what may have changed since an earlier reading.
    package init(of location: Location, in journal: SQLiteJournal, at now: Timestamp, after old: LiveReading?)
        throws(JournalError)
    {
        self.location = location
        state = try journal.stateOrZero(of: location.id)
        devices = try LocationDevices(of: location.id, in: journal)
        end = now.nextMinute
        if let old, old.location == location, old.state.position == state.position, old.end == end {
            (flows, last) = (old.flows, old.last)
        } else {
            flows = try LiveFlows(of: location, state, in: journal, at: now, end: end)
            let today = HistoryPage(range: flows.day.start..<end, isBackward: true, limit: 1)
            last = try journal.history(of: location.id, today).first
        }
        if let old, old.location == location, old.flows.day == flows.day {
            hours = old.hours
        } else {
            hours = try ReportingHours(of: location, in: journal, at: now)
        }
    }
}

extension LiveReading {
    /// The card at a time, which may be later than the reading. Ages grow with time only while the terminal is in the
    /// foreground.
    package func card(
        at now: Timestamp, staleAfter: Duration, isInForeground: Bool, hasKey: Bool = true
    ) -> LiveCard {
        var card = LiveCard(id: location.id, name: location.name, state: state)
        card.key = hasKey ? location.key : nil
        card.group = location.group
        card.today = flows.today
        card.lastHour = flows.lastHour
        card.lastActor = last.flatMap { $0.journal == nil ? nil : $0.actor }
        card.problem = flows.problem
        card.staleDevices = expected.filter { hours.isStale($0, after: staleAfter, now: now) }.map(\.name)
        card.freshness = freshness(
            at: now, staleAfter: staleAfter, hasStale: !card.staleDevices.isEmpty,
            isInForeground: isInForeground)
        return card
    }

    package func nextChange(after now: Timestamp, staleAfter: Duration, isInForeground: Bool) -> Timestamp? {
        var changes = expected.compactMap { hours.nextChange(of: $0, after: staleAfter, now: now) }
        if let lastSign { changes.append(lastSign + staleAfter + .microseconds(1)) }
        if isInForeground {
            changes.append(end)
            if !devices.isConnected, let lastSign {
                let age = Self.age(of: lastSign, at: now)
                changes.append(lastSign + .seconds(age + DurationText.seconds(untilChangeOf: age, .card)))
            }
        }
        return changes.filter { $0 > now }.min()
    }

    private var expected: [Device] { devices.expected(on: flows.day) }

    /// The time of the last event or of a device's last sign of life, whichever is later.
    private var lastSign: Timestamp? { [devices.lastSeenAt, state.lastEventAt].compactMap(\.self).max() }

    private func freshness(
        at now: Timestamp, staleAfter: Duration, hasStale: Bool, isInForeground: Bool
    ) -> Freshness? {
        if devices.isConnected { return Freshness(.live, .now) }
        guard let lastSign else { return nil }
        let isOld = now - lastSign > staleAfter
        let kind: Freshness.Kind = !isOld ? .live : hasStale ? .stale : .quiet
        let moment: Freshness.Moment =
            isInForeground ? .ago(seconds: Self.age(of: lastSign, at: now)) : .at(lastSign.localTime)
        return Freshness(kind, moment)
    }

    /// The age in seconds; 0 where a clock runs ahead.
    private static func age(of sign: Timestamp, at now: Timestamp) -> Int {
        Int(max(.zero, now - sign).components.seconds)
    }
}

/// The entries in and out of a location: of the present day, and of each minute of the last hour.
struct LiveFlows {
    private static let minutes = 60
    /// How far ahead of ours another clock may be before its times are ignored.
    private static let lead = Duration.seconds(300)

    let day: OperationalDay
    /// Why the day is one of UTC; on a wall, which has no line for it, that the day before was not ended.
    let problem: String?
    let today: LiveCard.Traffic
    let lastHour: [LiveCard.Traffic]

    /// Reads the flows as of the minute that ends at `end`.
    init(
        of location: Location, _ state: CounterState, in journal: SQLiteJournal, at now: Timestamp,
        end: Timestamp
    ) throws(JournalError) {
        let day = location.calendar(about: now).day(containing: now)
        let last = end + Self.lead
        let kpis = try journal.kpis(
            of: location, hours: Self.starts(day: day, end: end), end: last, now: last, silence: .max)
        let first = end - .seconds(60 * Self.minutes)
        lastHour = kpis.hours.filter { $0.start >= first && $0.start < end }.map(LiveCard.Traffic.init)
        today = LiveCard.Traffic(
            sum: kpis.hours.filter { $0.start >= day.start.startOfMinute }.map(LiveCard.Traffic.init))
        self.day = day
        let isForViewer = journal.role == .viewer && location.zoneNote == nil
        problem =
            isForViewer
            ? try OverdueDayOffer.sentence(of: location, state, in: journal, at: now) : location.zoneNote
    }

    /// The starts of the intervals: the day so far, each minute of the last hour, and the time after it, for clocks that
    /// run ahead.
    private static func starts(day: OperationalDay, end: Timestamp) -> [Timestamp] {
        let minutes = (-Self.minutes...0).map { end + .seconds(60 * $0) }
        let start = day.start.startOfMinute
        return start < minutes[0] ? [start] + minutes : minutes
    }
}

extension LiveCard.Traffic {
    fileprivate init(_ flow: Flow) { self.init(ins: flow.totalIn, outs: flow.totalOut) }
}
