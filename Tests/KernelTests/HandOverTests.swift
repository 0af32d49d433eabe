import Glibc
import TestSupport
import Testing

/// Keys are intercepted and released at any moment, also while they are down.
@Suite(.serialized) struct HandOverTests {
    private static let steps = Volume.of(sample: 30, full: 200)
    /// How many changes of key maps must be observed, to prove that hand-overs take place.
    private static let leastChanges = Volume.of(sample: 5, full: 30)

    @Test(.withOutsideKeyboards)
    func `After many random hand-overs no other reader believes a key down that is up`() throws {
        var random = SystemRandomNumberGenerator()
        let seed = random.next()
        let outside = try OutsideKeyboards()
        let devices = try [PressedDevice.Kind.remote, .keyboard, .at].map {
            try WatchedDevice(PressedDevice($0, outside: outside))
        }
        defer { for device in devices { device.end() } }
        var run = try HandOvers(of: devices, seed: seed)
        var steps = 0
        while steps < Self.steps || (run.observedChanges < Self.leastChanges && steps < 1000) {
            try run.step()
            steps += 1
        }
        try run.finish()
        #expect(devices.flatMap(\.complaints).first == nil, "seed \(seed)")
        #expect(run.observedChanges >= Self.leastChanges, "seed \(seed)")
    }
}

/// A device, and another reader of it that tracks its keys by the events alone, as a desktop does.
private final class WatchedDevice {
    let device: PressedDevice
    private(set) var complaints: [String] = []
    private let reader: SecondReader
    /// The keys that are down by the reader's events.
    private var believed: Set<Key>

    init(_ device: PressedDevice) throws {
        self.device = device
        reader = try SecondReader(node: device.node)
        believed = try InputNode.keysDown(at: device.node)
    }

    func end() { device.destroy() }

    /// Presses a key, or releases it if it is down.
    func toggle(_ key: Key) throws {
        if device.keysDown.contains(key) { try device.up(key) } else { try device.down(key) }
        try device.awaitArrival()
        try look()
    }

    /// Has the reader process its events.
    func look() throws {
        for event in try reader.take() where event.key != PressedDevice.arrivalMarker {
            switch event.action {
            case .down:
                if !isDown(event.key) { complain("sees \(event), which is up") }
                believed.insert(event.key)
            case .up:
                let wasSeen = believed.remove(event.key) != nil
                // A press just before a remapping ends early for other readers: the kernel releases the key by
                // itself.
                if wasSeen && !device.hasKeyMap && device.keysDown.contains(event.key) {
                    complain("sees \(event), which is down")
                }
            case .autorepeat: break
            }
        }
        for key in believed where !isDown(key) { complain("believes \(key) down, which is up") }
    }

    /// Whether a key may be down; a stand-in is down as long as its volume key is.
    private func isDown(_ key: Key) -> Bool {
        device.keysDown.contains(key)
            || key.isStandIn && !device.keysDown.isDisjoint(with: [.volumeUp, .volumeDown])
    }

    private func complain(_ what: String) { complaints.append("the reader of \(device.node) \(what)") }
}

/// The program, which is made to intercept and release the keys at random.
private struct HandOvers {
    private let devices: [WatchedDevice]
    private let place: Workplace
    private var program: ChildProcess
    private var random: SplitMix64
    private var hasFocus = true
    private let original: [KeyMapCopy]
    private var last: [KeyMapCopy]
    /// How many changes of key maps were observed.
    private(set) var observedChanges = 0

    init(of devices: [WatchedDevice], seed: UInt64) throws {
        self.devices = devices
        random = SplitMix64(seed: seed)
        original = try devices.map { try KeyMapCopy(node: $0.device.node) }
        last = original
        place = try Workplace()
        program = try Self.open(place)
    }

    /// Starts the program; it ignores what was typed before it shows its screen.
    private static func open(_ place: Workplace) throws -> ChildProcess {
        let program = try place.openUnseen()
        try program.skipOutput(past: "\u{1B}[?1049h")
        return program
    }

    /// Makes one hand-over, with keys that go down and up before it is complete.
    mutating func step() throws {
        switch random.below(40) {
        case 0: try server?.signal(SIGKILL)
        case 1: try restart(killingServerToo: false)
        case 2: try restart(killingServerToo: true)
        default:
            hasFocus.toggle()
            try program.write(hasFocus ? "\u{1B}[I" : "\u{1B}[O")
        }
        for _ in 0..<random.below(5) {
            try random.element(of: devices).toggle(random.element(of: [.volumeUp, .volumeDown, .mute]))
            pause(.milliseconds(random.below(15)))
            for device in devices { try device.look() }
        }
        // Sometimes long enough for it to be complete.
        pause(.milliseconds(random.below(100)))
        try program.takeOutput()
        for device in devices { try device.look() }
        try observe()
    }

    /// Releases all keys, ends the program, and presses every volume key once more.
    mutating func finish() throws {
        for watched in devices {
            for key in watched.device.keysDown { try watched.toggle(key) }
        }
        try program.write("q")
        #expect(try program.wait() == .exited(0))
        try eventually("the original key maps") {
            try devices.map { try KeyMapCopy(node: $0.device.node) } == original
        }
        for watched in devices {
            try watched.look()
            let reader = try SecondReader(node: watched.device.node)
            for key in [Key.volumeUp, .volumeDown] {
                try watched.device.press(key)
                try reader.expect([.down(key), .up(key)])
            }
        }
        program.end()
    }

    private var server: RunningProcess? { program.process.children.first { $0.name == "counter-keys" } }

    private mutating func restart(killingServerToo: Bool) throws {
        let server = server
        if killingServerToo { try server?.signal(SIGSTOP) }
        try program.signal(SIGKILL)
        if killingServerToo { try server?.signal(SIGKILL) }
        #expect(try program.wait() == .killed(SIGKILL))
        program = try Self.open(place)
        hasFocus = true
    }

    private mutating func observe() throws {
        let maps = try devices.map { try KeyMapCopy(node: $0.device.node) }
        observedChanges += zip(maps, last).count { $0 != $1 }
        last = maps
    }
}

/// While keys are captured and released, each press is counted or received by other programs: never both, and never
/// neither.
@Suite(.serialized) struct EachPressTests {
    private static let presses = Volume.of(sample: 8, full: 20)

    @Test(arguments: [PressedDevice.Kind.remote, .keyboard])
    func `Presses around changes of focus`(kind: PressedDevice.Kind) throws {
        let rig = try Rig(PressedDevice(kind))
        let program = try rig.place.openUnseen(["--debounce", "10ms", "--device", rig.device.node])
        try program.skipOutput(past: "exclusive")
        var random = SplitMix64(seed: 7)
        var heard = 0
        for presses in 1...Self.presses {
            try program.write(presses.isMultiple(of: 2) ? "\u{1B}[I" : "\u{1B}[O")
            pause(.milliseconds(random.below(30)))
            try rig.device.press(.volumeUp, for: .milliseconds(20))
            try program.takeOutput()
            heard = try rig.place.awaitPresses(presses, heard: heard, [rig.reader])
        }
        #expect((1..<Self.presses).contains(heard), "there were presses of both kinds")
    }
}
