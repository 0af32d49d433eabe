import CTestSupport
import Glibc
import System
import TestSupport

@testable import KeyProtocol

/// A program that is let in by the key service and means no good. What it is refused it tries again.
final class Attacker {
    enum Attack: CaseIterable {
        /// Packets that are no messages.
        case garbage
        /// More messages than anybody needs.
        case tooManyMessages
        /// Connections by the dozen, some of which stay, with half an introduction.
        case tooManyConnections
        /// Wants everything and reads nothing.
        case deaf
        /// Takes a keyboard and gives it back, as fast as it is let.
        case swapping
        /// Has all devices looked at again and again.
        case searching
        /// Wants as many keys as one may have, and paths without end.
        case greedy
        /// Sends connections along that it takes a minute to close.
        case lingering
    }

    private typealias Connection = MessageConnection<ClientMessage, ServerMessage>

    private let path: String
    private let attack: Attack
    /// A keyboard that it is welcome to.
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

    /// Once more; without waiting for anything.
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
        // Those that were closed are of no use; the oldest are dropped for new ones, as a program that is killed does.
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
