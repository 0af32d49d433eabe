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

    @Test func randomBytesEndTheConnectionAndNothingElse() throws {
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
    func messagesThatMakeNoSenseTogetherAreLivedWith(seed: UInt64) throws {
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
                number: random.next(), KeyFrame(node: node, stamp: stamp, changes: KeyChanges(changes)))
        }
    }
}
