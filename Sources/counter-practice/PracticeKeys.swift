import CounterTUI
import KeyProtocol
import Linux
import Practice
import VolumeInput

/// The volume keys: gestures of all devices as inputs of the screens, and whether anybody else may receive them too.
final class PracticeKeys {
    /// What a gesture means.
    enum Event: Hashable {
        case press(CountID, PracticeInput)
        case takenBack([CountID])
        case input(PracticeInput)
        /// A device came, went or changed.
        case devicesChanged
        case trouble(String)
    }

    /// How long both keys are held to go home.
    private static let homeHold = Duration.seconds(2)

    private let listener: VolumeListener

    init() throws(ProgramError) {
        var settings = KeyClientSettings()
        settings.takesPrecedence = true
        let client = KeyClient(
            executable: try ProgramFiles.companion("counter-keys"), service: ProgramFiles.keyService,
            settings: settings)
        listener = VolumeListener(client: client, heldChord: Self.homeHold) { _ in Self.timing }
    }

    /// A child's fingers come down further apart than a counter's.
    private static var timing: GestureTiming {
        var timing = GestureTiming()
        timing.chord = .milliseconds(250)
        return timing
    }

    var deadline: MonotonicTime? { listener.deadline }
    func watch(_ polled: inout PollSet) { listener.watch(&polled) }
    func receive(at now: MonotonicTime) -> [Event] { listener.receive(at: now).flatMap(events) }
    func capture(_ mode: CaptureMode) -> [Event] { listener.capture(mode, at: .now).flatMap(events) }
    func releaseTerminalKeys() -> [Event] { listener.releaseTerminalKeys(at: .now).flatMap(events) }

    func receive(
        _ key: TerminalEvent.VolumeKey, _ stroke: TerminalEvent.Stroke, at now: MonotonicTime
    ) -> [Event] {
        let counted: CountedKey = key == .raise ? .up : .down
        let changes: [KeyChange] =
            switch stroke {
            case .pressed: [KeyChange(counted, isDown: true)]
            case .released: [KeyChange(counted, isDown: false)]
            case .tapped: [KeyChange(counted, isDown: true), KeyChange(counted, isDown: false)]
            }
        return listener.receive(terminal: KeyChanges(changes), at: now).flatMap(events)
    }

    private func events(_ event: ListenerEvent) -> [Event] {
        switch event {
        case .gesture(_, let gesture): self.events(gesture.type)
        case .inputDevicesChanged: [.devicesChanged]
        case .trouble(let reason): [.trouble(reason)]
        // The server tells whether there are others, beside its devices.
        case .fellBack: [.devicesChanged]
        case .knob: []
        }
    }

    /// A key that is held counts once: exactly so many presses are asked for.
    private func events(_ gesture: VolumeEventType) -> [Event] {
        switch gesture {
        case .volumeUp(let id, isRepeat: false): [.press(id, .up)]
        case .volumeDown(let id, isRepeat: false): [.press(id, .down)]
        case .volumeUp, .volumeDown, .simultaneousBoth, .holdLimitReached, .bothReleased(wereHeld: true): []
        case .takenBack(let ids): [.takenBack(ids)]
        case .reset, .bothReleased(wereHeld: false): [.input(.both)]
        case .bothHeld: [.input(.home)]
        }
    }
}

// MARK: - Who else receives the keys

extension PracticeKeys {
    /// Whether the service, which does not serve this program, may have remapped a device for another counter: such a
    /// device shows no volume keys here.
    private var mayBeCountedByService: Bool { listener.serviceFault?.mayServeOthers ?? false }

    /// What is said of the devices, while keys are captured exclusively; nothing where the keys are this program's own, or that is
    /// not known yet.
    var warning: [String] {
        let nodes = listener.inputDevices.flatMap(\.nodes).filter {
            $0.stableID != NodeReport.terminal.stableID
        }
        let isUnknown = nodes.contains {
            [.shared(.inBackground), .shared(.waitingForRelease)].contains($0.state)
        }
        if listener.environment == nil || isUnknown { return [] }
        let taken = nodes.filter { $0.state == .shared(.grabbedElsewhere) }
        if !taken.isEmpty { return KeySharing.taken(by: taken.map(\.name).joined(separator: ", ")).lines }
        let readable = nodes.filter { if case .noAccess = $0.state { false } else { true } }
        if readable.isEmpty { return (mayBeCountedByService ? KeySharing.shared : .none).lines }
        let isAlone = readable.allSatisfy { if case .shared = $0.state { false } else { true } }
        return isAlone && !mayBeCountedByService ? [] : KeySharing.shared.lines
    }
}
