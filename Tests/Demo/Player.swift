import CEvdev
import Glibc
import TestSupport

/// Plays the steps of scenes on devices of this kernel, with the real program in its terminal.
final class Player {
    let terminal: TerminalSession
    private var remotes: [Device: VirtualRemote] = [:]
    private var readers: [Device: SecondReader] = [:]
    private let keyboards: OutsideKeyboards?

    init(_ terminal: TerminalSession) throws {
        self.terminal = terminal
        keyboards = try? OutsideKeyboards()
        guard keyboards != nil else { return }
        readers[.keyboard] = try SecondReader(node: InputNode.named(Device.keyboard.name))
    }

    /// Unplugs everything.
    func end() { for remote in remotes.values { remote.destroy() } }

    /// Whether this machine has an emulated keyboard, which QEMU operates from outside.
    var hasKeyboard: Bool { keyboards != nil }

    func perform(_ step: Step) throws {
        switch step {
        case .plugIn(let device): try plugIn(device)
        case .press(let key, let device, let times, let duration, let rest):
            for _ in 1...times {
                pause(rest)
                try press(key, on: device, for: duration)
            }
        case .pressBoth(let device):
            pause(.apart)
            // Presses up to 100 ms apart are a chord: 30 ms leaves room for a slow kernel.
            try remotes[device]?.down(.volumeUp, then: .milliseconds(30))
            try remotes[device]?.down(.volumeDown, then: .milliseconds(60))
            try remotes[device]?.up(.volumeUp)
            try remotes[device]?.up(.volumeDown)
        case .type(let text): try terminal.type(text)
        case .await(let text): try terminal.waitForText(text)
        case .practise(let device): try practise(on: device)
        case .killKeyServer: try killKeyServer()
        }
    }

    func press(_ key: Key, on device: Device, for duration: Duration = .milliseconds(60)) throws {
        if device == .keyboard {
            try keyboards?.press(key.outsideName, on: .at, for: duration)
        } else {
            try remotes[device]?.press(key, for: duration)
        }
    }

    /// What another reader of a device received since the last call.
    func seen(on device: Device) throws -> [KeyEvent] {
        guard device == .keyboard else { return try readers[device]?.take() ?? [] }
        // Keys from outside arrive with a delay, so events are taken up to the letter that ends each such scene.
        return try (readers[device]?.take(before: .up(.b)) ?? []) + [.up(.b)]
    }

    private func plugIn(_ device: Device) throws {
        var description = VirtualRemote.Description(name: device.name, keys: [.volumeUp, .volumeDown])
        description.bus = UInt16(BUS_BLUETOOTH)
        let remote = try VirtualRemote(description)
        remotes[device] = remote
        readers[device] = try SecondReader(node: remote.node)
        try terminal.waitForText("\(device.name) exclusive")
    }

    private func killKeyServer() throws {
        let program = try terminal.process
        let server = try eventualValue("a key server") {
            program.children.first { $0.name == "counter-keys" }
        }
        try server.signal(SIGKILL)
        // The message appears when the screen has removed all devices.
        try terminal.waitForText("killed by signal 9")
        try terminal.waitForText("\(Device.remote.name) exclusive")
    }
}

extension Key {
    /// QEMU's name for the key (QKeyCode).
    fileprivate var outsideName: String {
        switch self {
        case .volumeUp: "volumeup"
        case .volumeDown: "volumedown"
        case .b: "b"
        default: preconditionFailure("no scene presses \(self) from outside")
        }
    }
}

/// `counter practice` in the terminal of the demo.
extension Player {
    /// Makes a player, solves a die, and opens the counter again.
    func practise(on device: Device) throws {
        // A terminal that reports its focus, as one without tmux.
        try terminal.respawn(
            ["env", "-u", "TMUX", "TERM=xterm-256color", BuiltProducts.counter, "practice"])
        try terminal.addFirstPlayer()
        // The grown-up has typed; the child has two keys.
        for text in ["1 of 12", "Who plays?"] {
            try terminal.waitForText(text)
            try perform(.pressBoth(on: device))
        }
        for card in 1...2 {
            try terminal.waitForText("\(card) of 6")
            try perform(.press(.volumeUp, on: device))
        }
        try terminal.waitForText("3 of 6")
        try perform(.pressBoth(on: device))
        let screen = try terminal.waitForText("[Both done")
        // Small dice have dots for pips.
        let pips = screen.pips > 0 ? screen.pips : screen.dots
        try perform(.press(.volumeUp, on: device, times: pips))
        try terminal.waitForScreen("\(pips) presses") { $0.dots % pips == 0 }
        try perform(.pressBoth(on: device))
        try terminal.waitForText("Solved! 2 coins for you.")
        pause(.seconds(1))
        try terminal.respawn([BuiltProducts.counter, "--always"])
        try terminal.waitForText("\(device.name) exclusive")
    }
}
