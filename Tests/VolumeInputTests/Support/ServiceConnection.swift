import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import KeyServer
@testable import VolumeInput

/// A client's end of a connection to the service, operated by a test.
typealias ServiceConnection = MessageConnection<ClientMessage, ServerMessage>

extension KeyService {
    /// The messages of a client that wants to be served, limited to a node that does not exist.
    static let introduction: [ClientMessage] = [
        .configure(.volumeKeys), .only(path: "/dev/input/none"), .capture(.shared),
    ]

    /// A client that has sent nothing yet.
    func connect() throws -> ServiceConnection { ServiceConnection(try socket()) }

    /// The same, for packets that are no messages.
    func socket() throws -> PacketSocket { try PacketSocket(connectingTo: path) }

    /// A client that is served: it has received the first message.
    func served() throws -> ServiceConnection {
        let connection = try connect()
        for message in Self.introduction { try connection.send(message) }
        try eventually("an answer") { try connection.receive()?.isEnvironment == true }
        return connection
    }

    /// Waits until the service has slept for so long. A sanitizer is exempt: it has a thread of its own that wakes.
    func awaitRest(of duration: Duration) throws {
        if isSanitized { return }
        let process = child.process
        try eventually("\(duration) of rest") {
            let switches = process.contextSwitches
            pause(duration)
            return process.isAlive && process.contextSwitches == switches
        }
    }

    /// Expects that the service runs and, once earlier clients are gone, accepts another.
    func expectHealthy() throws {
        #expect(child.process.isAlive)
        try eventually("a client to be served") {
            guard let connection = try? connect() else { return false }
            for message in Self.introduction { try? connection.send(message) }
            return (try? eventualValue("an answer", timeout: .seconds(1)) { try connection.receive() })?
                .isEnvironment ?? false
        }
        #expect(isSanitized || child.process.residentBytes < 48 << 20)
    }
}

extension ServiceConnection {
    /// All messages until the service closes the connection.
    func lastWords() throws -> [ServerMessage] {
        var messages: [ServerMessage] = []
        try eventually("the service to close the connection") {
            do {
                while let message = try receive() { messages.append(message) }
                return false
            } catch ConnectionEnd.closed { return true }
        }
        return messages
    }
}

extension ServerMessage {
    /// Whether this is the service's first message to a client that it serves.
    var isEnvironment: Bool { if case .environment = self { true } else { false } }
}

extension KeyClient {
    /// A client of a node that does not exist: no device is opened.
    convenience init(
        ofNothing executable: String, service: String? = nil, meanings: KeyMeanings = .volumeKeys
    ) {
        var settings = KeyClientSettings()
        settings.meanings = meanings
        settings.onlyPaths = ["/dev/input/none"]
        self.init(executable: executable, service: service, settings: settings)
    }
}

/// A client that keeps its events until a test asks for them: a quick server sends several at once.
@dynamicMemberLookup final class BufferingClient {
    let client: KeyClient
    private var events: [KeyClientEvent] = []

    init(_ executable: String = BuiltProducts.counterKeys, service: String? = nil) {
        client = KeyClient(ofNothing: executable, service: service)
    }

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

/// The suites that start `counter-keys`, one test at a time: some look for servers among this process's children.
@Suite(.serialized) enum ServerProcesses {}

extension Trait where Self == ConditionTrait {
    /// Runs a test only if the service serves the user who runs the tests.
    static var whereServed: Self {
        .enabled(
            if: isServed, "the service serves only root, the members of its group, and who is at the machine"
        )
    }
}

/// A sanitizer keeps freed memory and needs memory of its own: no bound on memory holds then.
let isSanitized = getenv("ASAN_OPTIONS") != nil

/// Root is always served: if it is not, the tests must fail.
private let isServed =
    geteuid() == 0
    || (try? PacketSocket.pair()).flatMap { ends in withExtendedLifetime(ends) { SocketPeer(ends.0.number) } }
        .flatMap { own in
            SeatRights(of: own, group: ClientAcceptor.group, SeatMonitor().seats)?.isServed
        } ?? false
