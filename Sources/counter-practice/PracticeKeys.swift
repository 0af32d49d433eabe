import KeyProtocol
import Linux
import Practice
import VolumeInput

/// The volume keys: gestures of all devices as inputs of the screens, and whether anybody else may receive them too.
final class PracticeKeys {
    enum Event: Hashable {
        case press(CountID, PracticeInput)
        /// A key is held alone, which chooses.
        case choice(CountID)
        case takenBack([CountID])
        case input(PracticeInput)
        case devicesChanged
        case trouble(String)
    }

    private static let homeHold = Duration.seconds(2)

    /// The last press of a key, which is taken back once the key turns out to be held.
    private var last: (device: Identifier, id: CountID, hasChosen: Bool)?
    private let listener: VolumeListener

    init() throws(ProgramError) {
        var settings = KeyClientSettings()
        settings.takesPrecedence = true
        let client = KeyClient(
            executable: try ProgramFiles.companion("counter-keys"), service: ProgramFiles.keyService,
            settings: settings)
        listener = VolumeListener(client: client, heldChord: Self.homeHold) { _ in Self.timing }
    }

    /// A child's fingers come down further apart than a counter's. A key that is held alone chooses at its first repeat, and leads
    /// home at its second, for who cannot press both.
    private static var timing: GestureTiming {
        var timing = GestureTiming()
        timing.chord = .milliseconds(250)
        timing.holdDelay = .seconds(1)
        timing.repeatInterval = .seconds(2)
        timing.holdLimit = .seconds(4)
        return timing
    }

    var deadline: MonotonicTime? { listener.deadline }
    func watch(_ polled: inout PollSet) { listener.watch(&polled) }
    func receive(at now: MonotonicTime) -> [Event] { listener.receive(at: now).flatMap(events) }
    func capture(_ mode: CaptureMode) -> [Event] { listener.capture(mode, at: .now).flatMap(events) }
    func releaseTerminalKeys() -> [Event] { listener.releaseTerminalKeys(at: .now).flatMap(events) }

    func receive(_ changes: [KeyChange], at now: MonotonicTime) -> [Event] {
        listener.receive(terminal: changes, at: now).flatMap(events)
    }

    private func events(_ event: ListenerEvent) -> [Event] {
        switch event {
        case .gesture(let device, let gesture): self.events(gesture.type, of: device)
        case .inputDevicesChanged: [.devicesChanged]
        case .trouble(let reason): [.trouble(reason)]
        // The server tells whether there are others, beside its devices.
        case .fellBack: [.devicesChanged]
        case .knob: []
        }
    }

    private func events(_ gesture: VolumeEventType, of device: Identifier) -> [Event] {
        switch gesture {
        case .volumeUp(let id, isRepeat: false): return press(id, .up, on: device)
        case .volumeDown(let id, isRepeat: false): return press(id, .down, on: device)
        case .volumeUp(let id, _), .volumeDown(let id, _): return hold(id, on: device)
        case .simultaneousBoth, .holdLimitReached, .bothReleased(wereHeld: true): return []
        case .takenBack(let ids): return [.takenBack(ids)]
        case .reset, .bothReleased(wereHeld: false): return [.input(.both)]
        case .bothHeld: return [.input(.home)]
        }
    }

    private func press(_ id: CountID, _ input: PracticeInput, on device: Identifier) -> [Event] {
        last = (device, id, false)
        return [.press(id, input)]
    }

    private func hold(_ id: CountID, on device: Identifier) -> [Event] {
        // Another device was pressed meanwhile.
        guard let last, last.device == device else { return [] }
        self.last = (device, id, true)
        return [.takenBack([last.id]), last.hasChosen ? .input(.home) : .choice(id)]
    }
}

// MARK: - Who else receives the keys

extension PracticeKeys {
    /// Whether the service, which does not serve this program, may have remapped a device for another counter: such a
    /// device shows no volume keys here.
    private var mayBeCountedByService: Bool { listener.serviceFault?.mayServeOthers ?? false }

    /// What is said of the devices, while keys are captured exclusively; `nil` where the keys are this program's own, or that is
    /// not known yet.
    var warning: KeySharing? {
        let all = listener.inputDevices.flatMap(\.nodes)
        let nodes = all.filter { $0.stableID != NodeReport.terminal.stableID }
        let isUnknown = nodes.contains {
            [.shared(.inBackground), .shared(.waitingForRelease)].contains($0.state)
        }
        if listener.environment == nil || isUnknown { return nil }
        let taken = nodes.filter { $0.state == .shared(.grabbedElsewhere) }
        if !taken.isEmpty { return .taken(by: taken.map(\.name).joined(separator: ", ")) }
        let readable = nodes.filter { if case .noAccess = $0.state { false } else { true } }
        if readable.isEmpty, !mayBeCountedByService { return all.count == nodes.count ? .noKeys : nil }
        let isAlone = readable.allSatisfy { if case .shared = $0.state { false } else { true } }
        return isAlone && !mayBeCountedByService ? nil : .shared
    }
}
