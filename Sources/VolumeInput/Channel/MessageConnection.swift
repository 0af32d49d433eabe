import Descriptors
import Glibc

/// Why a connection ended.
enum ConnectionEnd: Error, Hashable {
    /// The other end is gone, or closed it.
    case closed
    /// The other end does not read: its queue is full.
    case stalled
    case failed(SystemCallError)
    case bad(MessageError)
}

/// One end of the key socket: whole messages of one kind go out, of another come in.
final class MessageConnection<Outgoing: Message, Incoming: Message> {
    private let socket: PacketSocket

    init(_ socket: PacketSocket) { self.socket = socket }

    var number: CInt { socket.number }

    /// Sends a message, or says why there is no connection any more. Never waits.
    func send(_ message: Outgoing) throws(ConnectionEnd) {
        do throws(SystemCallError) {
            try socket.send(message.encoded)
        } catch {
            switch error.errno {
            case EAGAIN, ENOBUFS: throw .stalled
            case EPIPE, ECONNRESET: throw .closed
            default: throw .failed(error)
            }
        }
    }

    /// The next message; `nil` where none waits.
    func receive() throws(ConnectionEnd) -> Incoming? {
        guard let bytes = try packet() else { return nil }
        if bytes.isEmpty { throw .closed }
        do throws(MessageError) {
            return try Incoming(decoding: bytes)
        } catch { throw .bad(error) }
    }

    /// An end that closes with something unread resets the connection. That is told before what it had sent, such
    /// as the reason, and once: so what it had sent is asked for again.
    private func packet() throws(ConnectionEnd) -> [UInt8]? {
        for _ in 0..<2 {
            do throws(SystemCallError) {
                return try socket.receive(limit: MessageHeader.long)
            } catch {
                if error.errno != ECONNRESET { throw .failed(error) }
            }
        }
        throw .closed
    }
}
