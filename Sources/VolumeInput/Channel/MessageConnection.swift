import Glibc
import System

/// Why a connection ended.
enum ConnectionEnd: Error, Hashable {
    /// The other end is gone, or closed it.
    case closed
    /// The other end has not read for long: more waits for it than it could ever need.
    case stalled
    case failed(SystemCallError)
    case bad(MessageError)
}

/// One end of the key socket: whole messages of one kind go out, of another come in.
///
/// The socket takes some 150 of the long ones; what it does not take waits here, for the other end may be busy.
final class MessageConnection<Outgoing: Message, Incoming: Message> {
    private let socket: PacketSocket
    private let mostUnsent: Int
    private var unsent: ArraySlice<[UInt8]> = []

    /// - Parameters:
    ///   - socket: this end of the connection.
    ///   - mostUnsent: how many messages may wait for the other end to read: thousands of nodes, told of at once.
    init(_ socket: PacketSocket, mostUnsent: Int = 8192) {
        self.socket = socket
        self.mostUnsent = mostUnsent
    }

    var number: CInt { socket.number }

    /// What to poll `number` for: room too, while something waits to be sent.
    var interest: CInt { CInt(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT) }

    /// Sends a message, or says why there is no connection any more. Never waits.
    func send(_ message: Outgoing) throws(ConnectionEnd) {
        let packet = message.encoded
        if unsent.isEmpty, try fits(packet) { return }
        guard unsent.count < mostUnsent else { throw .stalled }
        unsent.append(packet)
    }

    /// Sends what waits, as far as there is room by now.
    func flush() throws(ConnectionEnd) {
        while let first = unsent.first {
            guard try fits(first) else { return }
            unsent.removeFirst()
        }
    }

    /// - Returns: false where there is no room now.
    private func fits(_ packet: [UInt8]) throws(ConnectionEnd) -> Bool {
        do throws(SystemCallError) {
            try socket.send(packet)
            return true
        } catch {
            switch error.errno {
            case EAGAIN, ENOBUFS: return false
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
