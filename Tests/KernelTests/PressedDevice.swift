import TestSupport
import Testing

/// A device with volume keys that a test presses and releases, of any kind.
final class PressedDevice {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        /// A uinput device: it has no key map and is grabbed.
        case remote
        /// A uhid keyboard, whose volume keys are remapped.
        case keyboard
        /// The guest's emulated keyboards, whose volume keys are remapped too.
        case at, usb

        var testDescription: String { rawValue }

        /// The kinds with a key map that exist here.
        static let keyboards = OutsideKeyboards.areExpected ? [Kind.keyboard, .at, .usb] : [.keyboard]
    }

    private enum Body {
        case remote(VirtualRemote)
        case keyboard(HIDRemote)
        case outside(OutsideKeyboards, OutsideKeyboards.Keyboard)
    }

    /// The key that ``awaitArrival()`` presses.
    static let arrivalMarker = Key.a

    /// QEMU's names for the keys.
    private static let outsideNames: [Key: String] = [
        .a: "a", .b: "b", .enter: "ret", .mute: "audiomute", .volumeUp: "volumeup", .volumeDown: "volumedown",
    ]

    let node: String
    /// The keys that the test holds down.
    private(set) var keysDown: Set<Key> = []
    private let body: Body

    /// Plugs the device in, or finds it. `outside` is the guest's keyboards: only one such object can exist at a
    /// time.
    init(_ kind: Kind, outside: OutsideKeyboards? = nil) throws {
        switch kind {
        case .remote:
            let keys: [Key] = [.volumeUp, .volumeDown, .mute]
            let remote = try VirtualRemote(.init(name: "Pressed Remote", keys: keys))
            (node, body) = (remote.node, .remote(remote))
        case .keyboard:
            let keyboard = try HIDRemote(.init(name: "Pressed Keyboard", layout: .keyboard))
            (node, body) = (keyboard.node, .keyboard(keyboard))
            // With a period of 33 ms a key that is down fills a reader's queue within a second, and a busy machine
            // may not read it in time.
            try InputNode.setAutorepeat(period: 1_000, at: node)
        case .at, .usb:
            let keyboard = OutsideKeyboards.Keyboard(kind)
            (node, body) = (
                try InputNode.named(keyboard.name), .outside(try outside ?? OutsideKeyboards(), keyboard)
            )
        }
    }

    /// Whether its keys are remapped; otherwise it is grabbed.
    var hasKeyMap: Bool {
        if case .remote = body { false } else { true }
    }

    /// Unplugs it, if that is possible.
    func end() {
        switch body {
        case .remote(let remote): remote.destroy()
        case .keyboard(let keyboard): keyboard.destroy()
        case .outside: for key in keysDown { try? up(key) }
        }
    }

    /// Presses a key. Readers have received it when this returns.
    func down(_ key: Key) throws {
        keysDown.insert(key)
        switch body {
        case .remote(let remote): try remote.down(key, then: .zero)
        case .keyboard(let keyboard): try keyboard.down(key, then: .zero)
        case .outside(let keyboards, let keyboard):
            try settle { try keyboards.down(Self.outsideNames[key] ?? "", on: keyboard) }
        }
    }

    /// Releases a key. Readers have received it when this returns.
    func up(_ key: Key) throws {
        switch body {
        case .remote(let remote): try remote.up(key, then: .zero)
        case .keyboard(let keyboard): try keyboard.up(key, then: .zero)
        case .outside(let keyboards, let keyboard):
            try settle { try keyboards.up(Self.outsideNames[key] ?? "", on: keyboard) }
        }
        keysDown.remove(key)
    }

    func press(_ key: Key, then wait: Duration = .quick) throws {
        try down(key)
        pause(.quick)
        try up(key)
        pause(wait)
    }

    /// Waits until everything that was pressed from outside has arrived, whatever a hand-over has made of it: presses
    /// a key that is never remapped and waits for it.
    func awaitArrival() throws {
        guard case .outside(let keyboards, let keyboard) = body else { return }
        let marker = Self.arrivalMarker
        try keyboards.down(Self.outsideNames[marker] ?? "", on: keyboard)
        try eventually("the marker", poll: .milliseconds(1)) {
            try InputNode.keysDown(at: node).contains(marker)
        }
        try keyboards.up(Self.outsideNames[marker] ?? "", on: keyboard)
        try eventually("the marker's end", poll: .milliseconds(1)) {
            try !InputNode.keysDown(at: node).contains(marker)
        }
    }

    /// Waits until a change from outside has arrived. It does not arrive if a hand-over has released that key before,
    /// so the wait is limited.
    private func settle(_ change: () throws -> Void) throws {
        let before = try InputNode.keysDown(at: node)
        try change()
        try? eventually("the change to arrive", timeout: .milliseconds(600), poll: .milliseconds(1)) {
            try InputNode.keysDown(at: node) != before
        }
    }
}

extension OutsideKeyboards.Keyboard {
    init(_ kind: PressedDevice.Kind) { self = kind == .usb ? .usb : .at }
}
