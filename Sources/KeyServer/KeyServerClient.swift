import KeyProtocol
import System

/// The client of a key server: what it asked for, and whether it still listens.
///
/// A client that has not acknowledged a key message for 500 ms is stopped or hung. It holds nothing then, and is
/// told of no keys, for they are everybody's; once it acknowledges again it is told since when.
final class KeyServerClient {
    private static let timeout = Duration.milliseconds(500)

    private let connection: MessageConnection<ServerMessage, ClientMessage>
    private var wish = CaptureMode.off
    /// Whether it is the one to hear keys now; while it is not, whatever it wants waits.
    var isServed = true
    private var budget = MessageBudget()
    /// What has been brought about.
    private var applied = CaptureMode.off
    private(set) var meanings = KeyMeanings.volumeKeys
    private(set) var onlyPaths: [String] = []
    private(set) var ignoredSources: Set<String> = []
    private var isConfigured = false
    private var hasAttended = false
    private var lastNumber: UInt64 = 0
    /// When the messages that are not acknowledged were sent, oldest first.
    private var unacknowledged: [MonotonicTime] = []
    private var lapsedSince: MonotonicTime?

    /// - Parameters:
    ///   - socket: this end of the connection.
    ///   - maxUnsent: how many messages may wait for it.
    init(_ socket: PacketSocket, maxUnsent: Int = 8192) {
        connection = MessageConnection(socket, maxUnsent: maxUnsent)
    }

    var number: CInt { connection.number }

    /// What to poll it for: room too, while something waits to be sent.
    var interest: CInt { connection.interest }

    /// What is to happen with the keys now.
    var captureMode: CaptureMode { lapsedSince == nil && isServed ? wish : .off }

    /// When its timeout with the client ends; `nil` while nothing waits to be acknowledged.
    var deadline: MonotonicTime? {
        lapsedSince == nil ? unacknowledged.first.map { $0 + Self.timeout } : nil
    }

    /// Has what the client wants brought about, where that has changed.
    func applyAttention(_ apply: (CaptureMode) -> Void) {
        if applied == captureMode { return }
        applied = captureMode
        apply(applied)
    }

    // MARK: Sending

    func send(_ message: ServerMessage) throws(ConnectionEnd) { try connection.send(message) }

    /// Sends what waits for a client that was busy.
    func flush() throws(ConnectionEnd) { try connection.flush() }

    /// Tells of keys, unless they were everybody's at that moment.
    ///
    /// - Parameters:
    ///   - event: what was read.
    ///   - captureMode: what was to happen with the node's keys at the event's own stamp.
    /// - Throws: `ConnectionEnd` where it can be told no more.
    func tell(_ event: NodeEvent, during captureMode: CaptureMode) throws(ConnectionEnd) {
        switch event {
        case .frame(let frame, let isOurs):
            if captureMode == .off, !isOurs { return }
            lastNumber += 1
            unacknowledged.append(.now)
            try send(.frame(number: lastNumber, frame))
        case .resynchronized(let node, let down, let stamp):
            if captureMode == .off { return }
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
        if isOverdue(at: now) { lapsedSince = now }
    }

    /// Its timeout has ended, by what has been received so far.
    func isOverdue(at now: MonotonicTime) -> Bool { deadline.map { now >= $0 } ?? false }

    // MARK: Receiving

    /// The next message, after noting what it asks; `nil` where none waits.
    ///
    /// - Throws: `ConnectionEnd.bad` for a message that makes no sense where it stands.
    func receive() throws(ConnectionEnd) -> ClientMessage? {
        guard let message = try connection.receive() else { return nil }
        guard isProgress(message) || budget.spend(at: .now) else { throw .bad(.tooManyMessages) }
        switch message {
        case .configure(let meanings):
            if isConfigured { throw .bad(.malformed) }
            isConfigured = true
            self.meanings = meanings
        case .only(let path):
            guard isConfigured, !hasAttended, onlyPaths.count < KeyClientSettings.maxPaths else {
                throw .bad(.malformed)
            }
            onlyPaths.append(path)
        case .ignore(let stableID, let isIgnored): try ignore(stableID, isIgnored)
        case .capture(let captureMode):
            guard isConfigured else { throw .bad(.malformed) }
            hasAttended = true
            budget.endIntroduction(at: .now)
            wish = captureMode
        case .acknowledge(let number): try acknowledge(number)
        }
        return message
    }

    private func ignore(_ stableID: String, _ isIgnored: Bool) throws(ConnectionEnd) {
        guard isConfigured, ignoredSources.count < KeyClientSettings.maxIgnored else {
            throw .bad(.malformed)
        }
        if isIgnored { ignoredSources.insert(stableID) } else { ignoredSources.remove(stableID) }
    }

    /// It acknowledges something: of these there are no more than we have asked for.
    private func isProgress(_ message: ClientMessage) -> Bool {
        guard case .acknowledge(let number) = message else { return false }
        return number > lastNumber - UInt64(unacknowledged.count)
    }

    private func acknowledge(_ number: UInt64) throws(ConnectionEnd) {
        let first = lastNumber - UInt64(unacknowledged.count)
        guard number >= first, number <= lastNumber else { throw .bad(.malformed) }
        unacknowledged.removeFirst(Int(number - first))
        guard let since = lapsedSince, unacknowledged.isEmpty else { return }
        lapsedSince = nil
        try send(.interrupted(at: since, .unacknowledged))
    }
}
