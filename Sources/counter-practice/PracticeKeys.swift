import KeyProtocol
import Linux
import Practice
import VolumeInput

extension VolumeListener {
    /// The volume keys of all devices, as practice listens to them.
    static func ofPractice() throws(ProgramError) -> VolumeListener {
        var settings = KeyClientSettings()
        settings.takesPrecedence = true
        let client = KeyClient(
            executable: try ProgramFiles.companion("counter-keys"), service: ProgramFiles.keyService,
            settings: settings)
        return VolumeListener(client: client, heldChord: .seconds(2)) { _ in practiceTiming }
    }

    /// A child's fingers come down further apart than a counter's. A key that is held alone chooses at its first repeat, and leads
    /// home at its second, for who cannot press both.
    private static var practiceTiming: GestureTiming {
        var timing = GestureTiming()
        timing.chord = .milliseconds(250)
        timing.holdDelay = .seconds(1)
        timing.repeatInterval = .seconds(2)
        timing.holdLimit = .seconds(4)
        return timing
    }
}

/// A press of a key, which is taken back once it turns out to be half of both keys, or of a key that is held.
struct KeyPress {
    let device: Identifier
    var id: CountID
    /// The model before it; `nil` where it cannot be taken back, because it is stored.
    var before: PracticeModel?
    /// The key was held, which chose.
    var hasChosen = false
}

// MARK: - Gestures

/// From gestures to the model's inputs.
extension PracticeProgram {
    func take(_ events: [ListenerEvent]) {
        for event in events {
            switch event {
            case .gesture(let device, let gesture): take(gesture.type, of: device)
            // The server tells whether there are others, beside its devices.
            case .inputDevicesChanged, .fellBack: followOwnership()
            case .trouble(let reason): note(reason)
            case .knob: break
            }
        }
    }

    private func take(_ gesture: VolumeEventType, of device: Identifier) {
        switch gesture {
        case .volumeUp(let id, isRepeat: false): press(id, .up, on: device)
        case .volumeDown(let id, isRepeat: false): press(id, .down, on: device)
        case .volumeUp(let id, _), .volumeDown(let id, _): hold(id, on: device)
        case .simultaneousBoth, .holdLimitReached, .bothReleased(wereHeld: true): break
        case .takenBack(let ids): takeBack(ids)
        case .reset, .bothReleased(wereHeld: false): if mayAct() { take(.both) }
        case .bothHeld: if mayAct() { take(.home) }
        }
    }

    private func press(_ id: CountID, _ input: PracticeInput, on device: Identifier) {
        let before = model
        let isStored = take(input)
        lastPress = KeyPress(device: device, id: id, before: isStored ? nil : before)
        isTooLate = false
    }

    /// A key is held alone, which chooses, and then leads home.
    private func hold(_ id: CountID, on device: Identifier) {
        // Another device was pressed meanwhile.
        guard let held = lastPress, held.device == device else { return }
        takeBack([held.id])
        if mayAct() {
            if held.hasChosen { take(.home) } else { press(id, .both, on: device) }
        }
        lastPress?.id = id
        lastPress?.hasChosen = true
    }

    /// Presses belong to something else.
    private func takeBack(_ ids: [CountID]) {
        if let lastPress, let before = lastPress.before, ids.contains(lastPress.id) {
            model = before
        } else {
            isTooLate = true
        }
        lastPress?.before = nil
        // The model before the press does not know what came after it.
        followOwnership()
    }

    /// Whether a gesture acts: not where the press that it began with could not be taken back.
    private func mayAct() -> Bool {
        defer { isTooLate = false }
        return !isTooLate
    }
}

// MARK: - Who else receives the keys

extension VolumeListener {
    /// What is said of the devices, while keys are captured exclusively; `nil` where the keys are this program's own, or that is
    /// not known yet.
    var warning: KeySharing? {
        let all = inputDevices.flatMap(\.nodes)
        let nodes = all.filter { $0.stableID != NodeReport.terminal.stableID }
        let isUnknown = nodes.contains {
            [.shared(.inBackground), .shared(.waitingForRelease)].contains($0.state)
        }
        if environment == nil || isUnknown { return nil }
        let taken = nodes.filter { $0.state == .shared(.grabbedElsewhere) }
        if !taken.isEmpty { return .taken(by: taken.map(\.name).joined(separator: ", ")) }
        // The service, which does not serve this program, may have remapped a device for another counter: such a device shows no
        // volume keys here.
        let mayServeOthers = serviceFault?.mayServeOthers ?? false
        let readable = nodes.filter { if case .noAccess = $0.state { false } else { true } }
        if readable.isEmpty, !mayServeOthers { return all.count == nodes.count ? .noKeys : nil }
        let isAlone = readable.allSatisfy { if case .shared = $0.state { false } else { true } }
        return isAlone && !mayServeOthers ? nil : .shared
    }
}
