import Linux
import Testing

@testable import KeyProtocol
@testable import VolumeInput

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
        gestures(listener.receive(terminal: KeyChanges(changes), at: at(milliseconds)))
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
        let events = listener.receive(terminal: KeyChanges([KeyChange(.up, isDown: true)]), at: at(0))
        #expect(events.contains(.inputDevicesChanged))
        #expect(listener.inputDevices.map(\.stableID) == ["terminal-volume-keys"])
        #expect(
            !listener.receive(terminal: KeyChanges([KeyChange(.up, isDown: false)]), at: at(50))
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
        listener.take(.node(report), &events)
        #expect(tell(KeyChange(.up, isDown: true), at: 0).count == (counts ? 1 : 0))
        #expect(tell(KeyChange(.up, isDown: false), at: 100).isEmpty)
    }
}
