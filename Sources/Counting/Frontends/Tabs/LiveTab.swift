import CounterModel
import CounterStore
import CounterTUI
import Linux
import Reports

/// Behind the Live screen: reads the present state of every location.
final class LiveTab: TabFeed {
    private let context: TabContext
    private var readings: [Identifier: LiveReading] = [:]
    private var isOutOfDate = true
    private(set) var wallDeadline: Timestamp?

    init(_ context: TabContext) { self.context = context }

    func journalChanged() { isOutOfDate = true }

    func update(at now: Timestamp, isInForeground: Bool) throws {
        let (session, live) = (context.session, context.screens.live)
        let staleAfter = session.settings.staleAfter
        wallDeadline = nil
        live.mayChange = session.role == .admin
        live.step = session.settings.step
        let shown = context.shared.locations.all
        if isOutOfDate || isInForeground && readings.values.contains(where: { $0.end <= now }) {
            try read(Set(shown.map(\.id)), at: now)
        }
        live.cards = shown.compactMap {
            readings[$0.id]?.card(
                at: now, staleAfter: staleAfter, isInForeground: isInForeground, hasKey: live.mayChange)
        }
        wallDeadline = readings.values.compactMap {
            $0.nextChange(after: now, staleAfter: staleAfter, isInForeground: isInForeground)
        }.min()
    }

    private func read(_ shown: Set<Identifier>, at now: Timestamp) throws {
        let old = readings
        readings = [:]
        for location in context.session.locations where shown.contains(location.id) {
            readings[location.id] = try LiveReading(
                of: location, in: context.session.journal, at: now, after: old[location.id])
        }
        isOutOfDate = false
    }
}
