import TestSupport
import Testing

/// While the volume keys of a keyboard are remapped, other programs receive all its other keys unchanged.
@Suite(.serialized) struct TypingTests {
    @Test(arguments: PressedDevice.Kind.keyboards)
    func `What is typed arrives in the same frames as without the program`(kind: PressedDevice.Kind) throws {
        let device = try PressedDevice(kind)
        // The kernel's input-leds ends no frame: what it set since the last key comes with the next one.
        try device.press(.a, then: .zero)
        var random = SystemRandomNumberGenerator()
        let seed = random.next()
        let without = try type(on: device, seed: seed)
        let place = try Workplace()
        let listener = try place.listen(["--device", device.node], until: ": exclusive")
        let with = try type(on: device, seed: seed)
        let keys = Set(with.joined().compactMap(\.key))
        #expect(keys.isDisjoint(with: [.volumeUp, .volumeDown]), "seed \(seed)")
        #expect(keys.isSuperset(of: [.a, .b, .enter, .mute]), "seed \(seed)")
        #expect(with.count == without.count, "seed \(seed)")
        let difference = zip(with, without).first { neutral($0) != neutral($1) }
        #expect(difference == nil, "seed \(seed)")
        #expect(try listener.readLine() != nil)
    }

    /// Each key once, then changes of random keys, up to three of them down at a time.
    private func type(on device: PressedDevice, seed: UInt64) throws -> [[RawEvent]] {
        var random = SplitMix64(seed: seed)
        let reader = try SecondReader(node: device.node)
        var frames: [[RawEvent]] = []
        let keys: [Key] = [.a, .b, .enter, .mute, .volumeUp, .volumeDown]
        for key in keys {
            try device.press(key, then: .zero)
            frames += try reader.takeFrames()
        }
        for _ in 1...Volume.of(sample: 20, full: 60) {
            let isFull = device.keysDown.count == 3
            let key = random.element(of: isFull ? device.keysDown.sorted { $0.code < $1.code } : keys)
            if device.keysDown.contains(key) { try device.up(key) } else { try device.down(key) }
            frames += try reader.takeFrames()
        }
        for key in device.keysDown.sorted(by: { $0.code < $1.code }) { try device.up(key) }
        // The kernel's repeats depend on time and are the same with the program or without it, so they are left out.
        return try (frames + reader.takeFrames()).filter { !$0.contains { $0.key != nil && $0.value == 2 } }
    }

    /// A frame in which volume keys and their stand-ins look alike.
    private func neutral(_ frame: [RawEvent]) -> [RawEvent] {
        frame.map { event in
            guard let key = event.key, key.isStandIn || key == .volumeUp || key == .volumeDown else {
                return event
            }
            return RawEvent(type: event.type, code: 0, value: event.value)
        }
    }

    @Test func `The LEDs of a keyboard that is intercepted can be lit and put out`() throws {
        let keyboard = try HIDRemote(name: "Lit Keyboard", layout: .keyboard)
        let listener = try Workplace().listen(until: "Lit Keyboard: exclusive")
        defer { listener.end() }
        _ = try keyboard.takeOutput()
        for isLit in [true, false] {
            try InputNode.setCapsLock(isLit, at: keyboard.node)
            try eventually("Caps Lock to be \(isLit)") {
                try keyboard.takeOutput().map { $0 & 2 != 0 } == isLit
            }
        }
    }
}
