import CLinux
import Glibc

/// One end of a connected `SOCK_SEQPACKET` socket: messages arrive complete and in order.
package final class PacketSocket {
    private let descriptor: Descriptor

    package init(owning descriptor: consuming Descriptor) {
        _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK)
        self.descriptor = descriptor
    }

    package static func pair() throws(SystemCallError) -> (PacketSocket, PacketSocket) {
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        try systemCall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
        return (
            PacketSocket(owning: Descriptor(owning: ends[0])),
            PacketSocket(owning: Descriptor(owning: ends[1]))
        )
    }

    package var number: CInt { descriptor.number }

    /// Throws `EAGAIN` where the socket's buffer is full, `EPIPE` where the peer has closed it.
    package func send(_ message: [UInt8]) throws(SystemCallError) {
        try systemCall("send") {
            message.withUnsafeBytes {
                Glibc.send(descriptor.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
        }
    }

    /// The next message, or `nil` where none has arrived. An empty message is the end of the connection; one of `limit`
    /// + 1 bytes is longer than any valid one.
    ///
    /// On an accepted connection, throws `EBADMSG` for a message with descriptors, which is not received, because
    /// receiving would close them on this thread.
    package func receive(limit: Int) throws(SystemCallError) -> [UInt8]? {
        do throws(SystemCallError) {
            if descriptor.isClosedElsewhere {
                let brings = try systemCall("recvmsg") { clinux_brings_descriptors(descriptor.number) }
                if brings != 0 { throw SystemCallError(call: "recvmsg", errno: EBADMSG) }
            }
            var bytes = [UInt8](repeating: 0, count: limit + 1)
            let count = try systemCall("recv") { recv(descriptor.number, &bytes, limit + 1, 0) }
            bytes.removeLast(bytes.count - count)
            return bytes
        } catch  where error.errno == EAGAIN { return nil }
    }
}

extension PacketSocket {
    /// Connects without blocking. Throws `ENOENT` where the socket does not exist, `ECONNREFUSED` where no process
    /// listens, `EACCES` where the user has no permission, `EAGAIN` where the queue of connections is full.
    package convenience init(connectingTo path: String) throws(SystemCallError) {
        self.init(
            owning: try Descriptor(from: "connect", path) {
                clinux_connect(path, CInt(SOCK_SEQPACKET.rawValue))
            })
    }
}

/// A listening `SOCK_SEQPACKET` socket, such as one passed by systemd.
package final class ListeningSocket {
    private let descriptor: Descriptor
    private let closer: ClosingThread

    /// Makes the socket non-blocking, and has the kernel reject descriptors that clients send, if it can (6.16).
    /// `closer` closes the connections, because peers that are not authorised can make closing block.
    package init(owning descriptor: consuming Descriptor, connectionsClosedBy closer: ClosingThread) {
        _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK)
        _ = clinux_refuse_descriptors(descriptor.number)
        self.closer = closer
        self.descriptor = descriptor
    }

    /// `nil` where it has none (`getsockname(2)`).
    package var path: String? {
        var path = [CChar](repeating: 0, count: 128)
        guard clinux_socket_path(number, &path, UInt(path.count)) == 0, path[0] == CChar(UInt8(ascii: "/"))
        else { return nil }
        return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package var number: CInt { descriptor.number }

    /// The next connection; `nil` where none waits. Throws `EMFILE`, `ENFILE` or `ENOMEM` where no descriptor or memory
    /// is left. The connection stays queued then, and the socket stays readable.
    package func accept() throws(SystemCallError) -> PacketSocket? {
        do throws(SystemCallError) {
            let number = try systemCall("accept4") { clinux_accept(descriptor.number) }
            return PacketSocket(owning: Descriptor(owning: number, closedBy: closer))
        } catch  where error.errno == EAGAIN || error.errno == ECONNABORTED { return nil }
    }
}
