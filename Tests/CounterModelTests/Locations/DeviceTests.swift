import CounterModel
import Testing

/// When a device is stale.
@Suite struct DeviceTests {
    private static let now = Timestamp(seconds: 1_000)

    private func isStale(seen: Timestamp?, isConnected: Bool = false) -> Bool {
        Device(
            id: "door", name: "door", locationId: nil, lastSeenAt: seen, isActive: true,
            connection: isConnected
                ? DeviceConnection(since: Self.now, locationId: "default", program: "counter", isOwn: true)
                : nil
        ).isStale(after: 120_000_000, now: Self.now)
    }

    @Test func `It is stale after more than its time, and not at it`() {
        #expect(!isStale(seen: Timestamp(seconds: 880)))
        #expect(isStale(seen: Timestamp(microseconds: 879_999_999)))
        #expect(!isStale(seen: Timestamp(seconds: 2_000)), "a clock that was set back")
    }

    @Test func `One that was never seen is not stale, nor one that is connected`() {
        #expect(!isStale(seen: nil))
        #expect(!isStale(seen: nil, isConnected: true))
        #expect(!isStale(seen: Timestamp(seconds: 0), isConnected: true))
    }
}
