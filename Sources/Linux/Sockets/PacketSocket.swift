import CLinux
import Glibc

/// One end of a connected `SOCK_SEQPACKET` socket: messages arrive complete and in order.
package final class PacketSocket {
    private let descriptor: Descriptor

    /// Takes over a connected socket and makes it non-blocking.
    package init(owning descriptor: consuming Descriptor) {
        _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK)
        self.descriptor = descriptor
    }

    /// Creates two connected sockets. The corresponding C function is `socketpair(2)`.
    package static func pair() throws(SystemCallError) -> (PacketSocket, PacketSocket) {
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        try systemCall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
        return (
            PacketSocket(owning: Descriptor(owning: ends[0])),
            PacketSocket(owning: Descriptor(owning: ends[1]))
        )
    }

    /// The descriptor to poll.
    package var number: CInt { descriptor.number }

    /// Sends one message. The corresponding C function is `send(2)`.
    ///
    /// - Throws: `SystemCallError`: `EAGAIN` where the socket's buffer is full, `EPIPE` where the peer has closed it.
    package func send(_ message: [UInt8]) throws(SystemCallError) {
        try systemCall("send") {
            message.withUnsafeBytes {
                Glibc.send(descriptor.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
        }
    }

    /// Receives one message. The corresponding C function is `recv(2)`.
    ///
    /// - Parameter limit: the maximum size of a valid message. Of a longer message, `limit` + 1 bytes are returned, so that
    ///   the caller can detect it.
    /// - Returns: the bytes, or `nil` where no message has arrived. An empty message is the end of the connection.
    /// - Throws: `SystemCallError`, such as `ECONNRESET`; on an accepted connection `EBADMSG` for a message with
    ///   descriptors, which is not received, because receiving would close them on this thread.
    package func receive(limit: Int) throws(SystemCallError) -> [UInt8]? {
        do throws(SystemCallError) {
            if descriptor.isClosedElsewhere {
                let brings = try systemCall("recvmsg") { clinux_brings_descriptors(descriptor.number) }
                if brings != 0 { throw SystemCallError(call: "recvmsg", errno: EBADMSG) }
            }
            var failure: SystemCallError?
            let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { buffer, count in
                do throws(SystemCallError) {
                    count = try systemCall("recv") {
                        recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
                    }
                } catch { failure = error }
            }
            if let failure { throw failure }
            return bytes
        } catch  where error.errno == EAGAIN {
            return nil
        }
    }
}
