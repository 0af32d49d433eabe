import CounterModel
import CounterStore
import CounterTUI
import Linux
import Reports

/// Behind the Live screen: reads the present state of every location.
final class LiveTab: TabFeed {
    private let session: CountingSession
    private var readings: [Identifier: LiveReading] = [:]
    private var isOutOfDate = true
    private(set) var wallDeadline: Timestamp?

    init(_ session: CountingSession) { self.session = session }

    func journalChanged() { isOutOfDate = true }

    func update(_ model: inout ScreensViewModel, at now: Timestamp, isInForeground: Bool) throws {
        wallDeadline = nil
        model.live.mayChange = session.role == .admin
        model.live.step = session.settings.step
        if isOutOfDate || isInForeground && readings.values.contains(where: { $0.end <= now }) {
            try read(model.locations, at: now)
        }
        model.live.cards = model.locations.all.compactMap {
            readings[$0.id]?.card(
                at: now, staleAfter: session.settings.staleAfter, isInForeground: isInForeground)
        }
        let changes = readings.values.compactMap {
            $0.nextChange(after: now, staleAfter: session.settings.staleAfter, isInForeground: isInForeground)
        }
        wallDeadline = changes.min()
    }

    private func read(_ locations: LocationChoice, at now: Timestamp) throws {
        let old = readings
        readings = [:]
        for location in session.locations where locations.all.contains(where: { $0.id == location.id }) {
            readings[location.id] = try LiveReading(
                of: location, in: session.journal, at: now, after: old[location.id])
        }
        isOutOfDate = false
    }

    /// Carries out the intents of this screen. The result is shown once it is committed.
    func carryOut(_ intent: LiveIntent) {
        switch intent {
        case .count(let type, let location): session.count(type, at: location)
        case .undo(let location): session.undo(at: location)
        // The view model has handled these.
        case .enlarge, .overview: break
        }
    }
}
