import Glibc
import TestSupport
import Testing

/// A device that a test has plugged in, under a name by which programs report it.
protocol PluggedDevice: AnyObject {
    var name: String { get }
    var node: String { get }
    /// Presses a key, and waits then.
    func down(_ key: Key, then wait: Duration) throws
    func up(_ key: Key, then wait: Duration) throws
    func destroy()
}

extension VirtualRemote: PluggedDevice {}
extension HIDRemote: PluggedDevice {}
extension PressedDevice: PluggedDevice {}

/// What most tests of real keys need: a device, another reader of its node, which receives what other programs would
/// receive, and a journal for the programs that count its keys. All of it ends with this object.
final class Rig<Device: PluggedDevice> {
    let device: Device
    let reader: SecondReader
    let place: Workplace
    /// The key map before any program has changed it.
    let original: KeyMapCopy
    private var ends: [() -> Void] = []

    init(_ device: Device, in place: Workplace? = nil) throws {
        self.device = device
        reader = try SecondReader(node: device.node)
        original = try KeyMapCopy(node: device.node)
        self.place = try place ?? Workplace()
    }

    deinit {
        for end in ends.reversed() { end() }
        device.destroy()
    }

    var map: KeyMapCopy { get throws { try KeyMapCopy(node: device.node) } }

    func press(_ key: Key) throws {
        try device.down(key, then: .quick)
        try device.up(key, then: .quick)
    }

    var isRemapped: Bool { get throws { try map != original } }

    /// `counter listen`, once it reports this state of the device.
    @discardableResult
    func listen(_ options: [String] = [], until state: String = "exclusive") throws -> ChildProcess {
        try wait(for: state, by: place.listen(options))
    }

    /// `counter listen` of user nobody, once it reports that the device is intercepted.
    func listenAsNobody() throws -> ChildProcess {
        chmod(device.node, 0o666)
        return try wait(
            for: "exclusive",
            by: place.start(["listen"], by: asNobody, environment: place.letNobodyIn()))
    }

    private func wait(for state: String, by listener: ChildProcess) throws -> ChildProcess {
        ends.append { listener.end() }
        try listener.waitForErrorLine("\(device.name): \(state)")
        return listener
    }

    /// The screens, once they show this.
    func open(
        _ options: [String] = ["--always"], until text: String = "exclusive",
        environment: [String: String?] = [:]
    ) throws -> TerminalSession {
        let terminal = try place.open(options, environment: environment)
        ends.append { terminal.close() }
        try terminal.waitForText(text)
        return terminal
    }
}

extension Rig where Device == VirtualRemote {
    convenience init(_ name: String = "Virtual Remote", keys: [Key] = [.volumeUp, .volumeDown, .marker])
        throws
    {
        try self.init(VirtualRemote(.init(name: name, keys: keys)))
    }

    convenience init(_ description: VirtualRemote.Description) throws {
        try self.init(VirtualRemote(description))
    }

    /// Presses volume up, and expects whether the other reader receives it.
    func press(isHeard: Bool) throws {
        try device.press(.volumeUp, then: .apart)
        try reader.expect(isHeard ? .presses(of: .volumeUp) : [])
    }

    /// Waits until the device is intercepted by a screen's words, and expects that a press counts and that no other reader
    /// receives it.
    func expectExclusive(on screen: some ScreenSource, count: Int) throws {
        try screen.waitForText("\(device.name) exclusive")
        try press(isHeard: false)
        try screen.waitForText("Count \(count)")
    }

    /// Waits until the device is shared by a screen's words, and expects that another reader receives a press, and that after
    /// it the count is this.
    func expectShared(on screen: some ScreenSource, count: Int) throws {
        try screen.waitForText("\(device.name) shared")
        try press(isHeard: true)
        try place.awaitCount(count)
    }
}

extension Rig where Device == HIDRemote {
    convenience init(_ name: String, _ layout: HIDLayout) throws {
        try self.init(HIDRemote(name: name, layout: layout))
    }
}

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
        case plugged(any PluggedDevice)
        case outside(OutsideKeyboards, OutsideKeyboards.Keyboard)
    }

    /// The key that ``awaitArrival()`` presses.
    static let arrivalMarker = Key.a

    /// QEMU's names for the keys.
    private static let outsideNames: [Key: String] = [
        .a: "a", .b: "b", .enter: "ret", .mute: "audiomute", .volumeUp: "volumeup", .volumeDown: "volumedown",
    ]

    let name: String
    let node: String
    /// Whether its keys are remapped; otherwise it is grabbed.
    let hasKeyMap: Bool
    /// The keys that the test holds down.
    private(set) var keysDown: Set<Key> = []
    private let body: Body

    /// Plugs the device in, or finds it. `outside` is the guest's keyboards: only one such object can exist at a
    /// time.
    init(_ kind: Kind, outside: OutsideKeyboards? = nil) throws {
        hasKeyMap = kind != .remote
        switch kind {
        case .remote:
            let keys: [Key] = [.volumeUp, .volumeDown, .mute]
            let remote = try VirtualRemote(.init(name: "Pressed Remote", keys: keys))
            (name, node, body) = (remote.name, remote.node, .plugged(remote))
        case .keyboard:
            let keyboard = try HIDRemote(name: "Pressed Keyboard", layout: .keyboard)
            (name, node, body) = (keyboard.name, keyboard.node, .plugged(keyboard))
            // With a period of 33 ms a key that is down fills a reader's queue within a second, and a busy machine
            // may not read it in time.
            try InputNode.setAutorepeat(period: 1_000, at: node)
        case .at, .usb:
            let keyboard = OutsideKeyboards.Keyboard(kind)
            name = keyboard.name
            node = try InputNode.named(name)
            body = .outside(try outside ?? OutsideKeyboards(), keyboard)
        }
    }

    deinit { destroy() }

    /// Unplugs it, if that is possible.
    func destroy() {
        switch body {
        case .plugged(let device): device.destroy()
        case .outside: for key in keysDown { try? up(key) }
        }
    }

    /// Presses a key. Readers have received it when this returns.
    func down(_ key: Key, then wait: Duration = .zero) throws {
        keysDown.insert(key)
        switch body {
        case .plugged(let device): try device.down(key, then: .zero)
        case .outside(let keyboards, let keyboard):
            try settle { try keyboards.down(Self.outsideNames[key] ?? "", on: keyboard) }
        }
        pause(wait)
    }

    /// Releases a key. Readers have received it when this returns.
    func up(_ key: Key, then wait: Duration = .zero) throws {
        switch body {
        case .plugged(let device): try device.up(key, then: .zero)
        case .outside(let keyboards, let keyboard):
            try settle { try keyboards.up(Self.outsideNames[key] ?? "", on: keyboard) }
        }
        keysDown.remove(key)
        pause(wait)
    }

    func press(_ key: Key, for duration: Duration = .quick, then wait: Duration = .quick) throws {
        try down(key, then: duration)
        try up(key, then: wait)
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
