import System
import TestSupport

@testable import VolumeInput

/// A client, and what it has told that no test has asked for yet: a server that is quick tells several things at once.
@dynamicMemberLookup final class HeardClient {
    let client: KeyClient
    private var events: [KeyClientEvent] = []

    init(_ client: KeyClient) { self.client = client }

    subscript<Value>(dynamicMember path: KeyPath<KeyClient, Value>) -> Value { client[keyPath: path] }

    /// What it tells now; it can be asked for again.
    func receive(at now: MonotonicTime) -> [KeyClientEvent] {
        let new = client.receive(at: now)
        events += new
        return new
    }

    /// Waits for the first event that `wanted` takes, of those after the last one that was asked for.
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
