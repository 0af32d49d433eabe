import CTestSupport
import Glibc
import Linux
import TestSupport

@testable import KeyProtocol

/// A hostile client that the key service accepts. If it is refused, it tries again.
final class Attacker {
    enum Attack: CaseIterable {
        /// Invalid packets.
        case garbage
        /// Far too many messages.
        case tooManyMessages
        /// Dozens of connections, some of which stay open, with half an introduction.
        case tooManyConnections
        /// Asks for all keys and reads nothing.
        case deaf
        /// Intercepts a keyboard and releases it, as fast as it may.
        case swapping
        /// Makes the service look at all devices again and again.
        case searching
        /// Asks for the largest number of keys, and for endless paths.
        case greedy
        /// Sends descriptors of connections that take a minute to close.
        case lingering
    }

    private typealias Connection = MessageConnection<ClientMessage, ServerMessage>

    private let path: String
    private let attack: Attack
    /// The keyboard that it may intercept.
    private let node: String
    private var random = SplitMix64(seed: 5)
    private var connections: [Connection] = []
    private var listeners: [CInt] = []

    init(_ attack: Attack, at path: String, node: String) {
        self.attack = attack
        self.path = path
        self.node = node
    }

    deinit { for listener in listeners { close(listener) } }

    /// Attacks once more, without waiting.
    func strike() {
        switch attack {
        case .garbage: sendGarbage()
        case .tooManyMessages:
            introduce(then: (0..<1000).map { .capture($0.isMultiple(of: 2) ? .off : .exclusive) })
        case .tooManyConnections: for _ in 0..<50 { introduce([.configure(.volumeKeys)]) }
        case .deaf: introduce(then: [.capture(.exclusive)] + Array(repeating: .capture(.shared), count: 50))
        case .swapping: introduce(then: (0..<60).map { .capture($0.isMultiple(of: 2) ? .off : .exclusive) })
        case .searching: introduce(then: (0..<60).map { .ignore(stableID: "\($0)", $0.isMultiple(of: 2)) })
        case .greedy: askForAll()
        case .lingering: sendLingering()
        }
        // Connections that the service has closed are useless; the oldest are closed for new ones without notice, as
        // when a program is killed.
        connections = connections.suffix(4)
    }

    private func socket() -> PacketSocket? { try? PacketSocket(connectingTo: path) }

    private func introduce(_ introduction: [ClientMessage]) {
        guard let connection = socket().map({ Connection($0) }) else { return }
        for message in introduction { try? connection.send(message) }
        connections.append(connection)
    }

    private func introduce(then messages: [ClientMessage]) {
        introduce([.configure(.volumeKeys), .only(path: node), .capture(.exclusive)] + messages)
    }

    private func sendGarbage() {
        for size in [0, 1, 64, 512, 5000] {
            let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            try? socket()?.send(bytes)
        }
    }

    private func askForAll() {
        let codes = ServedKeys.all.prefix(3 * KeyMeanings.capacity).map(\.code)
        let meanings = KeyMeanings(
            up: Array(codes[..<8]), down: Array(codes[8..<16]), reset: Array(codes[16...]))
        introduce(
            [.configure(meanings)] + (0..<256).map { .only(path: "/dev/input/by-id/\($0)") }
                + (0..<1000).map { .ignore(stableID: "source \($0)", true) } + [.capture(.exclusive)])
    }

    private func sendLingering() {
        guard let socket = socket() else { return }
        let message = ClientMessage.configure(.volumeKeys).encoded
        let listener = withExtendedLifetime(socket) {
            ctest_send_lingering(socket.number, message, UInt32(message.count))
        }
        if listener != -1 { listeners.append(listener) }
    }
}
