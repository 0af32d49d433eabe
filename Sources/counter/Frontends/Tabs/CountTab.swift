import CounterModel
import CounterTUI
import Reports
import VolumeInput
import Zones

/// Behind the Count screen and the top line of all screens: shows what the session knows.
struct CountTab {
    let session: CountingSession
    let focusTracker: FocusTracker
    /// Why no input device can be read; nil where one can.
    private var problem: SourceProblem?
    private var overdue = OverdueDayOffer()

    init(session: CountingSession, focusTracker: FocusTracker) {
        self.session = session
        self.focusTracker = focusTracker
    }

    /// Input devices were connected or disconnected, or their interception changed.
    mutating func sourcesChanged() { problem = SourceProblem(session) }

    /// Updates the view model. Reads nothing from the journal but, once a day, whether the day before was ended.
    mutating func update(_ count: inout CountViewModel) {
        count.level = session.state.currentCount
        count.moreLeftThanEntered = session.state.moreLeftThanEntered
        count.lastChange = session.recent.last.map { LastChange($0.kind, time: $0.at.localTime) }
        count.ratePerMinute = session.recent.perMinute
        count.notStored = session.waiting
        count.sources = session.sources.map { status(of: $0) }
        count.mayChange = session.role == .admin
        count.problem = problem
        let offer = overdue.offer(session, at: WallClock().now)
        count.overdueAt = offer == nil ? nil : session.location.id
        count.warning =
            session.locationProblem.map { [$0.message + ".", $0.remedy].compactMap(\.self) } ?? offer ?? []
        let isAlone = session.locations.allSatisfy { $0.isHidden || $0.id == session.location.id }
        count.location = isAlone && session.location.id == Location.defaultId ? nil : session.location.name
        count.capacity = CountViewModel.Capacity(session.state)
    }

    private func status(of source: Source) -> SourceStatus {
        let name = session.devices.name(of: source.stableID, own: source.name)
        if source.present.state == .shared,
            let program = session.devices.otherProgram(counting: source.stableID)
        {
            return SourceStatus(name: name, state: .shared, reason: "counted by \(program)", remedy: nil)
        }
        let explanation = source.present.explained(by: focusTracker.policy)
        let knob = session.knobs.contains(source.stableID) ? KnobTexts(source) : nil
        return SourceStatus(
            name: name, state: source.present.state, location: session.otherLocation(of: source.stableID),
            reason: Self.joined(explanation.reason, knob?.reason),
            // A remedy for all devices is shown once.
            remedy: problem == nil ? Self.joined(explanation.remedy, knob?.remedy) : nil)
    }

    private static func joined(_ texts: String?...) -> String? {
        let texts = texts.compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}
