import TestSupport
import Testing

/// A device with volume keys that a test holds down and lets go of, whatever the kernel makes of it.
final class PressedDevice {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        /// A uinput device: it has no key map and is grabbed.
        case remote
        /// A uhid keyboard, on which the volume keys are swapped.
        case keyboard
        /// The guest's own keyboards, on which they are swapped too.
        case at, usb

        var testDescription: String { rawValue }

        /// Those that have a key map and are there.
        static let keyboards = OutsideKeyboards.areExpected ? [Kind.keyboard, .at, .usb] : [.keyboard]
    }

    private enum Body {
        case remote(VirtualRemote)
        case keyboard(HIDRemote)
        case outside(OutsideKeyboards, OutsideKeyboards.Keyboard)
    }

    /// What ``awaitArrival()`` presses.
    static let arrivalMarker = Key.a

    /// QEMU's names of the keys.
    private static let outsideNames: [Key: String] = [
        .a: "a", .b: "b", .enter: "ret", .mute: "audiomute", .volumeUp: "volumeup", .volumeDown: "volumedown",
    ]

    let node: String
    /// The keys that the test holds down.
    private(set) var keysDown: Set<Key> = []
    private let body: Body

    /// Plugs it in, or finds it. `outside` are the guest's keyboards: there can be only one such object at a time.
    init(_ kind: Kind, outside: OutsideKeyboards? = nil) throws {
        switch kind {
        case .remote:
            let keys: [Key] = [.volumeUp, .volumeDown, .mute]
            let remote = try VirtualRemote(.init(name: "Pressed Remote", keys: keys))
            (node, body) = (remote.node, .remote(remote))
        case .keyboard:
            let keyboard = try HIDRemote(.init(name: "Pressed Keyboard", layout: .keyboard))
            (node, body) = (keyboard.node, .keyboard(keyboard))
            // At 33 ms a key that is held fills a reader within a second, which a busy machine may take to read.
            try InputNode.setAutorepeat(period: 1_000, at: node)
        case .at, .usb:
            let keyboard = OutsideKeyboards.Keyboard(kind)
            (node, body) = (
                try InputNode.named(keyboard.name), .outside(try outside ?? OutsideKeyboards(), keyboard)
            )
        }
    }

    /// Its keys are swapped; otherwise it is grabbed.
    var hasKeyMap: Bool {
        if case .remote = body { false } else { true }
    }

    /// Unplugs it, where that can be.
    func end() {
        switch body {
        case .remote(let remote): remote.destroy()
        case .keyboard(let keyboard): keyboard.destroy()
        case .outside: for key in keysDown { try? up(key) }
        }
    }

    /// Presses a key. Readers have it when this returns.
    func down(_ key: Key) throws {
        keysDown.insert(key)
        switch body {
        case .remote(let remote): try remote.down(key, then: .zero)
        case .keyboard(let keyboard): try keyboard.down(key, then: .zero)
        case .outside(let keyboards, let keyboard):
            try settle { try keyboards.down(Self.outsideNames[key] ?? "", on: keyboard) }
        }
    }

    /// Lets go of a key. Readers have it when this returns.
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

    /// Waits until everything that was pressed from outside has arrived, whatever a hand-over has made of it: a key that
    /// nobody swaps goes down and up after it.
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

    /// Waits until a change from outside has arrived. It does not show where a hand-over has let go of that key
    /// before: so it is not waited for longer than anything takes.
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
