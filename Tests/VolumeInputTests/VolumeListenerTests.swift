import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import VolumeInput

extension ServerProcesses {
    @Suite struct VolumeListenerTests {}
}

/// The client's end, with a server that sends anything.
extension ServerProcesses.VolumeListenerTests {
    private static let script = #filePath.replacing("VolumeListenerTests.swift", with: "Support/send-packets")

    /// A listener whose `counter-keys` sends these packets and ends.
    private func listener(hearing packets: [[UInt8]], in folder: ScratchFolder) throws -> VolumeListener {
        mkdir(folder.path(of: "packets"), 0o755)
        for (number, packet) in packets.enumerated() {
            try packet.withUnsafeBytes { bytes in
                let path = folder.path(of: "packets/\(1000 + number)")
                let file = Descriptor(owning: open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
                let written = write(file.number, bytes.baseAddress, bytes.count)
                try #require(written == bytes.count)
            }
        }
        let executable = folder.path(of: "counter-keys")
        // A link, because files in a scratch folder may not be executable (noexec).
        try #require(symlink(Self.script, executable) == 0)
        let client = KeyClient(executable: executable, settings: KeyClientSettings())
        return VolumeListener(client: client) { _ in GestureTiming() }
    }

    /// All its events until its server has ended.
    private func everything(_ listener: VolumeListener) throws -> [ListenerEvent] {
        // One moment for all: a second later the server would be started again.
        let now = MonotonicTime.now
        var events = listener.receive(at: now)
        try eventually("the server to be lost") {
            events += listener.receive(at: now)
            return !listener.isConnected
        }
        return events
    }

    private func troubles(_ events: [ListenerEvent]) -> [String] {
        events.compactMap { if case .trouble(let text) = $0 { text } else { nil } }
    }

    @Test func `Random bytes end the connection and nothing else`() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<10 {
            let folder = try ScratchFolder()
            let packet = (0..<(1 + random.below(700))).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let listener = try listener(hearing: [packet], in: folder)
            #expect(try troubles(everything(listener)) == ["counter-keys: malformed message"])
            #expect(listener.inputDevices.isEmpty)
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `Messages that make no sense together are lived with`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let messages = (0..<300).map { _ in Self.message(&random) }
        let folder = try ScratchFolder()
        let listener = try listener(hearing: messages.map(\.encoded), in: folder)
        let last = try troubles(everything(listener)).last
        #expect(last == "counter-keys exited with 0" || last == "counter-keys was killed by signal 15")
        #expect(listener.inputDevices.isEmpty, "nothing is left of a server that is gone")
    }

    /// Few nodes and devices, so that their numbers recur; any valid stamp.
    private static func message(_ random: inout SplitMix64) -> ServerMessage {
        let node = NodeID(rawValue: UInt32(random.below(4)))
        let stamp = MonotonicTime(
            microseconds: random.below(4) == 0
                ? Int64(random.next() >> 3) : MonotonicTime.now.microseconds + Int64(random.below(1_000_000)))
        let bits = random.next()
        switch random.below(12) {
        case 0: return .nodeGone(node, at: stamp)
        case 1: return .resynchronized(node, down: CountedKeys(rawValue: UInt8(bits & 7)), at: stamp)
        case 2: return .interrupted(at: stamp, .unacknowledged)
        case 3: return .environment(bits & 1 == 0 ? .ready : .noDirectory)
        case 4, 5, 6:
            var report = Messages.report(
                state: .exclusive(alsoTakes: false), plan: .exclusive(alsoTakes: false))
            report.node = node
            report.device = InputDeviceID(rawValue: UInt32(random.below(3)))
            report.stableID = Identifier("device \(random.below(3))")
            return .node(report)
        default:
            let changes = (0...Int(bits & 7)).map { place in
                let key = CountedKey(rawValue: UInt8(bits >> (8 + place * 3) & 3) % 3) ?? .up
                return KeyChange(key, isDown: bits >> (10 + place * 3) & 1 == 1)
            }
            return .frame(
                number: random.next(), KeyFrame(node: node, stamp: stamp, changes: changes))
        }
    }
}

/// Volume keys that the terminal delivers itself. Times are in milliseconds.
@Suite struct TerminalKeysTests {
    private let listener = VolumeListener(
        client: KeyClient(executable: "/nonexistent", settings: KeyClientSettings()),
        timing: { _ in GestureTiming() })
    private static let device = NodeReport.terminal.stableID

    private func at(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(microseconds: milliseconds * 1000)
    }

    private func tell(_ changes: KeyChange..., at milliseconds: Int64) -> [VolumeEventType] {
        gestures(listener.receive(terminal: changes, at: at(milliseconds)))
    }

    private func advance(to milliseconds: Int64) -> [VolumeEventType] {
        gestures(listener.receive(at: at(milliseconds)))
    }

    private func gestures(_ events: [ListenerEvent]) -> [VolumeEventType] {
        events.compactMap { event in
            guard case .gesture(device: Self.device, let gesture) = event else { return nil }
            return gesture.type
        }
    }

    private func isUp(_ events: [VolumeEventType], repeated: Bool) -> Bool {
        guard events.count == 1, case .volumeUp(_, isRepeat: repeated) = events[0] else { return false }
        return true
    }

    @Test func `Held they repeat until they are released`() {
        #expect(isUp(tell(KeyChange(.up, isDown: true), at: 0), repeated: false))
        #expect(advance(to: 399).isEmpty)
        #expect(isUp(advance(to: 400), repeated: true))
        #expect(isUp(advance(to: 550), repeated: true))
        #expect(tell(KeyChange(.up, isDown: false), at: 600).isEmpty)
        #expect(advance(to: 5000).isEmpty)
    }

    @Test func `Both together reset`() {
        _ = tell(KeyChange(.down, isDown: true), at: 0)
        let events = tell(KeyChange(.up, isDown: true), at: 60)
        #expect(events.contains(.simultaneousBoth))
    }

    @Test func `A tap counts once and is no hold`() {
        #expect(
            isUp(tell(KeyChange(.up, isDown: true), KeyChange(.up, isDown: false), at: 0), repeated: false))
        #expect(advance(to: 5000).isEmpty)
    }

    @Test func `Released because the focus is gone they repeat no more, and start anew`() {
        _ = tell(KeyChange(.up, isDown: true), at: 0)
        #expect(gestures(listener.releaseTerminalKeys(at: at(100))).isEmpty)
        #expect(advance(to: 5000).isEmpty)
        #expect(isUp(tell(KeyChange(.up, isDown: true), at: 6000), repeated: false))
    }

    @Test func `They are a device from their first press on`() {
        #expect(listener.inputDevices.isEmpty)
        let events = listener.receive(terminal: [KeyChange(.up, isDown: true)], at: at(0))
        #expect(events.contains(.inputDevicesChanged))
        #expect(listener.inputDevices.map(\.stableID) == ["terminal-volume-keys"])
        #expect(
            !listener.receive(terminal: [KeyChange(.up, isDown: false)], at: at(50))
                .contains(.inputDevicesChanged))
    }

    @Test(arguments: [
        (NodeState.exclusive(alsoTakes: false), true), (.noAccess(errno: 13), true),
        (.shared(.grabbedElsewhere), true),
        (.shared(.keyboard), false), (.shared(.asConfigured), false),
    ])
    func `They count beside a device that cannot have sent them`(state: NodeState, counts: Bool) {
        var report = NodeReport.terminal
        report.node = NodeID(rawValue: 1)
        report.device = InputDeviceID(rawValue: 1)
        report.stableID = "device"
        report.state = state
        var events: [ListenerEvent] = []
        listener.handle(.node(report), &events)
        #expect(tell(KeyChange(.up, isDown: true), at: 0).count == (counts ? 1 : 0))
        #expect(tell(KeyChange(.up, isDown: false), at: 100).isEmpty)
    }
}
