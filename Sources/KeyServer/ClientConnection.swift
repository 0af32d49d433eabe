import CEvdev
import KeyProtocol
import Linux

/// The protocol state of one client: its settings, its capture mode, and the messages it has not acknowledged.
///
/// A client that has not acknowledged a key message for 500 ms is stopped or hung. Until it acknowledges again,
/// nothing is intercepted for it and no keys are sent to it; then it learns since when.
final class ClientConnection {
    private static let timeout = Duration.milliseconds(500)

    private let connection: MessageConnection<ServerMessage, ClientMessage>
    private var requestedMode = CaptureMode.off
    private var budget = MessageBudget()
    private(set) var settings = KeyClientSettings()
    private var isConfigured = false
    private var lastNumber: UInt64 = 0
    /// When the unacknowledged messages were sent, oldest first.
    private var unacknowledged: [MonotonicTime] = []
    private var lapsedSince: MonotonicTime?

    init(_ connection: MessageConnection<ServerMessage, ClientMessage>) { self.connection = connection }

    var number: CInt { connection.number }

    var interest: CInt { connection.interest }

    var captureMode: CaptureMode { lapsedSince == nil ? requestedMode : .off }

    /// When the client's timeout ends; `nil` while no acknowledgement is outstanding.
    var deadline: MonotonicTime? { lapsedSince == nil ? unacknowledged.first.map { $0 + Self.timeout } : nil }

    // MARK: Sending

    func send(_ message: ServerMessage) throws(ConnectionEnd) { try connection.send(message) }

    func flush() throws(ConnectionEnd) { try connection.flush() }

    /// Sends a key event, unless the node was not captured at the event's own time stamp.
    func send(_ event: NodeEvent, during captureMode: CaptureMode) throws(ConnectionEnd) {
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

    /// Sends the reason why the connection ends, if the server ends it.
    func refuse(_ end: ConnectionEnd) {
        guard case .bad(let error) = end else { return }
        try? send(.refused(reason: "\(error)"))
    }

    /// Notes that an overdue client has lapsed: nothing is intercepted for it from now on.
    func checkAcknowledgement(at now: MonotonicTime) {
        if isOverdue(at: now) { lapsedSince = now }
    }

    /// Whether its timeout has ended, by the acknowledgements received so far.
    func isOverdue(at now: MonotonicTime) -> Bool { deadline.map { now >= $0 } ?? false }

    // MARK: Receiving

    /// Receives the next message and notes what it asks for. Throws `ConnectionEnd.bad` for one that is invalid now.
    func receive() throws(ConnectionEnd) -> ClientMessage? {
        guard let message = try connection.receive() else { return nil }
        guard isProgress(message) || budget.spend(at: .now) else { throw .bad(.tooManyMessages) }
        switch message {
        case .configure(let meanings):
            if isConfigured { throw .bad(.malformed) }
            isConfigured = true
            settings.meanings = meanings
        case .takePrecedence:
            guard isConfigured, budget.isOfIntroduction, !settings.takesPrecedence else {
                throw .bad(.malformed)
            }
            settings.takesPrecedence = true
        case .only(let path):
            guard isConfigured, budget.isOfIntroduction,
                settings.onlyPaths.count < KeyClientSettings.maxPaths
            else { throw .bad(.malformed) }
            settings.onlyPaths.append(path)
        case .ignore(let stableID, let isIgnored):
            guard isConfigured else { throw .bad(.malformed) }
            settings.ignore(stableID, isIgnored)
        case .capture(let captureMode):
            guard isConfigured else { throw .bad(.malformed) }
            budget.endIntroduction()
            requestedMode = captureMode
        case .acknowledge(let number): try acknowledge(number)
        }
        return message
    }

    /// Whether it acknowledges a frame. Such messages are not limited: there are at most as many as frames.
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

/// How many messages a client may send: enough to introduce itself with every setting, then about 33 a second.
///
/// A message may cause all nodes to be looked at, which delays other clients.
struct MessageBudget {
    /// `configure`, `takePrecedence`, `only`, `ignore` and `capture`, each as often as a client has settings for it.
    static let introduction = 2 + KeyClientSettings.maxPaths + KeyClientSettings.maxIgnored + 1
    /// How many messages may come at once after the introduction.
    static let burst = 64
    /// The time that each later message uses up.
    static let pause = Duration.milliseconds(30)

    private var left = Self.introduction
    /// Limits the later messages; `nil` during the introduction.
    private var limit: FloodLimit?

    var isOfIntroduction: Bool { limit == nil }

    /// Ends the introduction; from now on messages are limited by time.
    mutating func endIntroduction() {
        if limit == nil { limit = FloodLimit(burst: Self.burst, pause: Self.pause) }
    }

    /// False if the message was one too many.
    mutating func spend(at now: MonotonicTime) -> Bool {
        if let isAdmitted = limit?.admits(1, at: now) { return isAdmitted }
        left -= 1
        return left >= 0
    }
}

/// What the service refuses to every client. The service may open what its clients may not: through it, a program
/// must not learn what the user types, intercept keys that are needed, or have paths of its choice looked up.
///
/// A server that a program starts for itself has the user's own permissions and applies no such rules.
enum ServiceRules {
    /// Why the service refuses a message; `nil` if it does not.
    static func objection(to message: ClientMessage) -> MessageError? {
        switch message {
        case .configure(let meanings):
            meanings.codes.allSatisfy { ServedKeys.contains($0.code) } ? nil : .unservedKey
        case .only(let path): isInPlace(path) ? nil : .path
        case .ignore, .capture, .acknowledge, .takePrecedence: nil
        }
    }

    /// Whether a path is in `/dev` or below `/dev/input`, where only root makes files and links. Looking up a path
    /// elsewhere may block without end.
    private static func isInPlace(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.hasPrefix("/"), parts.first == "dev",
            !parts.contains(where: { ["", ".", ".."].contains($0) })
        else { return false }
        return parts.count == 2 || parts.count > 2 && parts.dropFirst().first == "input"
    }
}
