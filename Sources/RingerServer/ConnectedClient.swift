import Glibc
import RingerProtocol
import System

/// A `counter` that is connected.
final class ConnectedClient {
    private let socket: Descriptor
    private var lines = LineAssembler()
    private var unsent: [UInt8] = []
    private var hasGreeted = false
    var index: Int?

    init(_ socket: consuming Descriptor) {
        _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
        self.socket = socket
    }

    func watch(_ polled: inout PollSet) {
        index = polled.add(socket.number, CInt(POLLIN) | (unsent.isEmpty ? 0 : CInt(POLLOUT)))
    }

    /// Sends a reply. A client that reads nothing gets only what its socket holds.
    func send(_ reply: RingerReply) {
        unsent += (reply.line + "\n").utf8
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { return }
            unsent.removeFirst(count)
        }
    }

    /// The requests that have arrived, without the greeting, which is answered here; `nil` where the connection is to be
    /// closed.
    func receive() -> [RingerRequest]? {
        var requests: [RingerRequest] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(socket.number, &buffer, buffer.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        guard count > 0, unsent.count < buffer.count, let arrived = try? lines.add(buffer[..<count]) else {
            return nil
        }
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
