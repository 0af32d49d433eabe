public import Descriptors

/// What the client learns of keys and nodes.
public enum KeyClientEvent: Hashable, Sendable {
    /// Something that the server told.
    case message(ServerMessage)
    /// The server is gone, and why; all its nodes are gone with it. It is started again after a moment.
    case lost(reason: String)
    /// The server cannot be started; it is tried again after a moment.
    case unavailable(SystemCallError)
}

/// What is asked of the key server, in its first messages and again after each of its restarts.
public struct KeyClientSettings: Hashable, Sendable {
    /// Which keys count.
    public var meanings = KeyMeanings.volumeKeys
    /// The only nodes to be read, by path; all where it is empty.
    public var onlyPaths: [String] = []
    /// Sources to be left alone, by their stable ids.
    public var ignoredSources: Set<String> = []

    /// The volume keys of every device.
    public init() {}
}

/// The connection to a key server, which it starts, and starts again when it is gone: once a second at most.
public final class KeyClient {
    private static let restartPause = Duration.seconds(1)

    private let executable: String
    private var settings: KeyClientSettings
    private var attention = Attention.away
    private var process: KeyServerProcess?
    private var connection: MessageConnection<ClientMessage, ServerMessage>?
    private var lastStart = MonotonicTime(microseconds: .min / 2)

    /// A client that has not started its server yet.
    ///
    /// - Parameters:
    ///   - executable: the path of `counter-keys`.
    ///   - settings: what is asked of it.
    public init(executable: String, settings: KeyClientSettings) {
        self.executable = executable
        self.settings = settings
    }

    /// The descriptor to poll; `nil` while there is no server.
    public var number: CInt? { connection?.number }

    /// When the server is to be started again; `nil` while it runs.
    public var deadline: MonotonicTime? { connection == nil ? lastStart + Self.restartPause : nil }

    /// Says what is to happen with the keys from now on.
    public func attend(_ attention: Attention) {
        self.attention = attention
        send(.attend(attention))
    }

    /// Leaves a source alone, or no longer.
    public func ignore(_ stableID: String, _ isIgnored: Bool) {
        let wasIgnored = settings.ignoredSources.contains(stableID)
        if isIgnored == wasIgnored { return }
        if isIgnored {
            settings.ignoredSources.insert(stableID)
        } else {
            settings.ignoredSources.remove(stableID)
        }
        send(.ignore(stableID: stableID, isIgnored))
    }

    /// Starts the server where it is due, and reads everything that it has told. Key messages are acknowledged.
    public func receive(at now: MonotonicTime) -> [KeyClientEvent] {
        var events: [KeyClientEvent] = []
        if let deadline, now >= deadline { start(at: now, &events) }
        guard let connection else { return events }
        var last: UInt64?
        do throws(ConnectionEnd) {
            while let message = try connection.receive() {
                if case .frame(let number, _) = message { last = number }
                events.append(.message(message))
            }
        } catch {
            events.append(.lost(reason: end(error)))
            return events
        }
        if let last { send(.acknowledge(number: last)) }
        return events
    }

    private func start(at now: MonotonicTime, _ events: inout [KeyClientEvent]) {
        lastStart = now
        do throws(SystemCallError) {
            let process = try KeyServerProcess(executable: executable)
            self.process = process
            connection = MessageConnection(process.socket)
            introduce()
        } catch {
            events.append(.unavailable(error))
        }
    }

    private func introduce() {
        send(.configure(settings.meanings))
        for path in settings.onlyPaths { send(.only(path: path)) }
        for source in settings.ignoredSources { send(.ignore(stableID: source, true)) }
        send(.attend(attention))
    }

    /// A failure to send is a connection that is gone, which reading tells with its reason.
    private func send(_ message: ClientMessage) { try? connection?.send(message) }

    private func end(_ end: ConnectionEnd) -> String {
        connection = nil
        let fate = process?.end() ?? "ended"
        process = nil
        switch end {
        case .closed, .stalled: return "counter-keys \(fate)"
        case .failed(let error): return "counter-keys: \(error)"
        case .bad(let error): return "counter-keys: \(error)"
        }
    }
}
