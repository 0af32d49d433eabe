import Descriptors

/// The client of a key server: what it asked for, and whether it still listens.
///
/// A client that has not acknowledged a key message for 500 ms is stopped or hung. It holds nothing then, and is
/// told of no keys, for they are everybody's; once it acknowledges again it is told since when.
final class KeyServerClient {
    private static let patience = Duration.milliseconds(500)

    private let connection: MessageConnection<ServerMessage, ClientMessage>
    private var wish = Attention.away
    private var applied = Attention.away
    private(set) var meanings = KeyMeanings.volumeKeys
    private(set) var onlyPaths: [String] = []
    private(set) var ignoredSources: Set<String> = []
    private var isConfigured = false
    private var hasAttended = false
    private var lastNumber: UInt64 = 0
    /// When the messages that are not acknowledged were sent, oldest first.
    private var unacknowledged: [MonotonicTime] = []
    private var lapsedSince: MonotonicTime?

    init(_ socket: PacketSocket) { connection = MessageConnection(socket) }

    var number: CInt { connection.number }

    /// What is to happen with the keys now.
    var attention: Attention { lapsedSince == nil ? wish : .away }

    /// When its patience with the client ends; `nil` while nothing waits to be acknowledged.
    var deadline: MonotonicTime? {
        lapsedSince == nil ? unacknowledged.first.map { $0 + Self.patience } : nil
    }

    /// Whether `attention` has changed since the last call.
    func takeAttentionChange() -> Bool {
        defer { applied = attention }
        return applied != attention
    }

    // MARK: Sending

    func send(_ message: ServerMessage) throws(ConnectionEnd) { try connection.send(message) }

    /// Tells of keys, unless they are everybody's now.
    func tell(_ event: NodeEvent) throws(ConnectionEnd) {
        if attention == .away { return }
        switch event {
        case .frame(let frame):
            lastNumber += 1
            unacknowledged.append(.now)
            try send(.frame(number: lastNumber, frame))
        case .resynchronized(let node, let down, let stamp):
            try send(.resynchronized(node, down: down, at: stamp))
        }
    }

    /// Says why the connection ends, to a client that can still hear it.
    func refuse(_ end: ConnectionEnd) {
        guard case .bad(let error) = end else { return }
        try? send(.refused(reason: "\(error)"))
    }

    /// Gives up on a client that is overdue.
    func checkAcknowledgement(at now: MonotonicTime) {
        if let deadline, now >= deadline { lapsedSince = now }
    }

    // MARK: Receiving

    /// The next message, after noting what it asks; `nil` where none waits.
    ///
    /// - Throws: `ConnectionEnd.bad` for a message that makes no sense where it stands.
    func receive() throws(ConnectionEnd) -> ClientMessage? {
        guard let message = try connection.receive() else { return nil }
        switch message {
        case .configure(let meanings):
            if isConfigured { throw .bad(.malformed) }
            isConfigured = true
            self.meanings = meanings
        case .only(let path):
            guard isConfigured, !hasAttended, onlyPaths.count < 256 else { throw .bad(.malformed) }
            onlyPaths.append(path)
        case .ignore(let stableID, let isIgnored): try ignore(stableID, isIgnored)
        case .attend(let attention):
            guard isConfigured else { throw .bad(.malformed) }
            hasAttended = true
            wish = attention
        case .acknowledge(let number): try acknowledge(number)
        }
        return message
    }

    private func ignore(_ stableID: String, _ isIgnored: Bool) throws(ConnectionEnd) {
        guard isConfigured, ignoredSources.count < 4096 else { throw .bad(.malformed) }
        if isIgnored { ignoredSources.insert(stableID) } else { ignoredSources.remove(stableID) }
    }

    private func acknowledge(_ number: UInt64) throws(ConnectionEnd) {
        let first = lastNumber - UInt64(unacknowledged.count)
        guard number >= first, number <= lastNumber else { throw .bad(.malformed) }
        unacknowledged.removeFirst(Int(number - first))
        guard let since = lapsedSince, unacknowledged.isEmpty else { return }
        lapsedSince = nil
        try send(.interrupted(at: since))
    }
}
