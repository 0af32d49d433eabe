import Linux
import TestSupport

@testable import VolumeInput

/// A client that keeps its events until a test asks for them: a quick server sends several at once.
@dynamicMemberLookup final class BufferingClient {
    let client: KeyClient
    private var events: [KeyClientEvent] = []

    init(_ client: KeyClient) { self.client = client }

    subscript<Value>(dynamicMember path: KeyPath<KeyClient, Value>) -> Value { client[keyPath: path] }

    /// The new events; they are kept for `next`.
    func receive(at now: MonotonicTime) -> [KeyClientEvent] {
        let new = client.receive(at: now)
        events += new
        return new
    }

    /// Waits for the first event that `wanted` accepts, after the last one that was returned.
    func next(at now: MonotonicTime, _ wanted: (KeyClientEvent) -> Bool) throws -> KeyClientEvent {
        try eventualValue("an event of the server", last: { "\(self.events)" }) {
            _ = receive(at: now)
            guard let index = events.firstIndex(where: wanted) else { return nil }
            defer { events.removeSubrange(...index) }
            return events[index]
        }
    }
}

extension KeyClientEvent {
    var isMessage: Bool {
        switch self {
        case .message: true
        case .lost, .unavailable, .fellBack, .serviceCame: false
        }
    }

    var isEnvironment: Bool { if case .message(.environment) = self { true } else { false } }
}
