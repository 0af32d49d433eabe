import Linux
import TestSupport
import Testing

@testable import KeyProtocol

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
