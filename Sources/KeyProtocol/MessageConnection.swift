import Glibc
package import Linux

package enum ConnectionEnd: Error, Hashable {
    case closed
    /// The peer has not read for long: its queue is longer than it could ever need.
    case stalled
    case failed(SystemCallError)
    case bad(MessageError)
}

/// One end of the key socket. It sends messages of one type and receives messages of another.
///
/// The socket buffers some 150 long messages. Further messages wait in this object's queue, because the peer may be busy.
package final class MessageConnection<Outgoing: Message, Incoming: Message> {
    private let socket: PacketSocket
    private let maxUnsent: Int
    private var unsent: ArraySlice<[UInt8]> = []

    /// The default of `maxUnsent`, the length of the queue, is enough to report thousands of nodes at once.
    package init(_ socket: PacketSocket, maxUnsent: Int = 8192) {
        self.socket = socket
        self.maxUnsent = maxUnsent
    }

    package var number: CInt { socket.number }

    /// For poll(2): `POLLOUT` too while messages wait.
    package var interest: CInt { CInt(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT) }

    /// Never blocks.
    package func send(_ message: Outgoing) throws(ConnectionEnd) {
        let packet = message.encoded
        if unsent.isEmpty, try trySend(packet) { return }
        guard unsent.count < maxUnsent else { throw .stalled }
        unsent.append(packet)
    }

    package func flush() throws(ConnectionEnd) {
        while let first = unsent.first {
            guard try trySend(first) else { return }
            unsent.removeFirst()
        }
    }

    /// - Returns: false where the socket's buffer is full.
    private func trySend(_ packet: [UInt8]) throws(ConnectionEnd) -> Bool {
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

    package func receive() throws(ConnectionEnd) -> Incoming? {
        guard let bytes = try packet() else { return nil }
        if bytes.isEmpty { throw .closed }
        do throws(MessageError) {
            return try Incoming(decoding: bytes)
        } catch { throw .bad(error) }
    }

    /// A peer that closes with unread data resets the connection. The kernel reports the reset once, before the data that the
    /// peer had sent, such as its reason. Therefore the data is read again after the error.
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

/// Beside the service's socket; touched when there is room again after a client was rejected. Clients watch it.
package func roomFile(ofService socket: String) -> String { socket + ".room" }
