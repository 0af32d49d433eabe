import CounterModel
import CounterTUI
import Reports
import VolumeInput

/// Behind the Count screen and the top line of all screens: shows what the session knows.
struct CountTab {
    let session: CountingSession
    let focusTracker: FocusTracker
    /// Why no input device can be read; nil where one can.
    private var problem: Diagnosis?
    private var overdue = OverdueDayOffer()

    var dayEnd: Timestamp? { overdue.dayEnd }
    /// When the rate that is shown falls by itself; nil at rest.
    private(set) var rateFalls: Timestamp?

    init(session: CountingSession, focusTracker: FocusTracker) {
        self.session = session
        self.focusTracker = focusTracker
    }

    private var isViewer: Bool { session.role == .viewer }

    /// A viewer counts with no device.
    mutating func inputDevicesChanged() {
        if isViewer { return }
        problem = Diagnosis(
            unreadable: session.environment, session.inputDevices, session.serviceFault,
            on: session.settings.machine(), for: session.role)
    }

    /// Updates the view model for a screen. Reads nothing from the journal but, once a day, whether the day before was ended.
    mutating func update(_ count: inout CountViewModel, on tab: Screens.Tab) {
        count.level = session.state.currentCount
        count.moreLeftThanEntered = session.state.moreLeftThanEntered
        count.lastChange = session.recent.last.map { LastChange($0.kind, time: $0.at.localTime) }
        let now = WallClock().now
        count.ratePerMinute = session.recent.perMinute(at: now)
        rateFalls = session.recent.nextFall(after: now)
        count.notStored = session.waiting
        count.inputDevices = isViewer ? [] : session.inputDevices.map { status(of: $0) }
        count.mayChange = !isViewer
        count.maySpeak = session.announcer.cues.spoken != .never
        count.problem = problem
        let offer = overdue.offer(
            of: session.location, session.state, in: session.journal, at: now)
        count.overdueAt = offer == nil ? nil : session.location.id
        count.warning =
            session.locationProblem.map { [$0.message + ".", $0.remedy].compactMap(\.self) }
            // On Timers, E has another meaning, and days are of no concern.
            ?? (tab == .timers ? [] : [offer].compactMap(\.self))
        let isAlone = session.locations.allSatisfy { $0.isHidden || $0.id == session.location.id }
        count.location = isAlone && session.location.id == Location.defaultId ? nil : session.location.name
        count.locationId = session.location.id
        count.target = session.state.target
        count.step = session.settings.step
        count.keyed = session.keyed.map {
            KeyedLocation(id: $0.location.id, name: $0.location.name, key: $0.key, count: $0.count)
        }
        count.capacity = Fullness(session.state)
    }

    private func status(of device: InputDevice) -> DeviceStatus {
        let name = session.devices.name(of: device.stableID, own: device.name)
        if device.present.state == .shared,
            let program = session.devices.otherProgram(counting: device.stableID)
        {
            return DeviceStatus(name: name, state: .shared, reason: "counted by \(program)", remedy: nil)
        }
        let explanation = device.present.explained(by: focusTracker.policy)
        let knob = session.knobs.contains(device.stableID) ? KnobTexts(device) : nil
        return DeviceStatus(
            name: name, state: device.present.state, location: session.otherLocation(of: device.stableID),
            reason: Self.joined(explanation.reason, knob?.reason),
            // A remedy for all devices is shown once.
            remedy: problem == nil ? Self.joined(explanation.remedy, knob?.remedy) : nil)
    }

    private static func joined(_ texts: String?...) -> String? {
        let texts = texts.compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}
