package import Linux

/// A `counter` that is connected to the ringer.
package final class ConnectedClient {
    /// How many bytes may wait for a client that does not read, beside those that its socket holds.
    private static let maxUnsent = 4096
    private static let greetingTimeout = Duration.seconds(5)
    /// How long a client may say nothing. A `counter` that is at rest connects again with its next request.
    private static let idleTimeout = Duration.seconds(3600)

    let connection: StreamConnection
    private var lines = LineSplitter(longest: RingerProtocol.maxLine)
    private var hasGreeted = false
    private var index: Int?
    /// When it has connected, or sent something last.
    package private(set) var lastHeard: MonotonicTime
    /// It has left, does not read, or has sent what it may not send: the connection is to be closed.
    package private(set) var isOver = false

    package init(_ socket: consuming Descriptor, at now: MonotonicTime) {
        connection = StreamConnection(socket, maxUnsent: Self.maxUnsent)
        lastHeard = now
    }

    /// When the connection ends if nothing is heard until then.
    package var deadline: MonotonicTime { lastHeard + (hasGreeted ? Self.idleTimeout : Self.greetingTimeout) }

    package func watch(_ polled: inout PollSet) {
        index = connection.watch(&polled)
    }

    /// Sends a reply; what the client does not take waits.
    package func send(_ reply: RingerReply) {
        connection.append(reply.line + "\n")
        flush()
    }

    private func flush() {
        do throws(SystemCallError) { try connection.flush() } catch { isOver = true }
    }

    /// Sends what waits, and reads once. Returns the requests that have arrived; the greeting is answered here.
    package func handle(_ polled: PollSet, at now: MonotonicTime) -> [RingerRequest] {
        if now >= deadline { isOver = true }
        guard !isOver, let index, !polled.result(at: index).isEmpty else { return [] }
        flush()
        guard let requests = receive(at: now) else {
            isOver = true
            return []
        }
        return requests
    }

    private func receive(at now: MonotonicTime) -> [RingerRequest]? {
        guard let bytes = connection.receive(at: now), let arrived = try? lines.add(bytes) else { return nil }
        if !bytes.isEmpty { lastHeard = now }
        var requests: [RingerRequest] = []
        for line in arrived {
            guard let request = RingerRequest(line: line) else { return nil }
            guard case .hello(let version) = request else {
                guard hasGreeted else { return nil }
                requests.append(request)
                continue
            }
            send(.hello(version: RingerProtocol.version))
            guard version == RingerProtocol.version else { return nil }
            hasGreeted = true
        }
        return requests
    }
}
