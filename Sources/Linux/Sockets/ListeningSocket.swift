import CLinux
import Glibc

/// A listening socket, such as one passed by systemd.
package final class ListeningSocket {
    private let descriptor: Descriptor
    private let closer: ClosingThread

    /// Takes over a listening `SOCK_SEQPACKET` socket and makes it non-blocking.
    ///
    /// Clients may not send descriptors: kernels that support this (6.16) reject them.
    ///
    /// - Parameters:
    ///   - descriptor: the socket.
    ///   - closer: the thread that closes the connections, because peers that are not authorised can make closing block.
    package init(owning descriptor: consuming Descriptor, connectionsClosedBy closer: ClosingThread) {
        _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK)
        _ = clinux_refuse_descriptors(descriptor.number)
        self.closer = closer
        self.descriptor = descriptor
    }

    /// The socket's path; `nil` where it has none. The corresponding C function is `getsockname(2)`.
    package var path: String? {
        var path = [CChar](repeating: 0, count: 128)
        guard clinux_socket_path(number, &path, UInt(path.count)) == 0, path[0] == CChar(UInt8(ascii: "/"))
        else {
            return nil
        }
        return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The descriptor to poll; readable when a client has connected.
    package var number: CInt { descriptor.number }

    /// Accepts the next connection. The corresponding C function is `accept4(2)`.
    ///
    /// - Returns: `nil` where none waits.
    /// - Throws: `SystemCallError`: `EMFILE`, `ENFILE` or `ENOMEM` where no descriptor or memory is left. The connection
    ///   stays queued then, and the socket stays readable.
    package func accept() throws(SystemCallError) -> PacketSocket? {
        do throws(SystemCallError) {
            let number = try systemCall("accept4") { clinux_accept(descriptor.number) }
            return PacketSocket(owning: Descriptor(owning: number, closedBy: closer))
        } catch  where error.errno == EAGAIN || error.errno == ECONNABORTED {
            return nil
        }
    }
}

/// The credentials of a peer, as recorded by the kernel when the connection was made.
package struct PeerCredentials: Hashable, Sendable {
    /// The effective user id, a `uid_t`.
    package let user: UInt32
    /// The effective and supplementary group ids, each a `gid_t`.
    package let groups: Set<UInt32>

    /// Creates credentials from their parts.
    package init(user: UInt32, groups: Set<UInt32>) {
        self.user = user
        self.groups = groups
    }
}

extension PacketSocket {
    /// The peer's credentials; `nil` where the kernel does not provide them.
    ///
    /// The corresponding C function is `getsockopt(2)` with SO_PEERCRED and SO_PEERGROUPS.
    package var peer: PeerCredentials? {
        var (user, group): (uid_t, gid_t) = (0, 0)
        guard clinux_peer(number, &user, &group) == 0 else { return nil }
        // NGROUPS_MAX
        let most = 65_536
        let groups = [gid_t](unsafeUninitializedCapacity: most) { buffer, count in
            count = max(0, Int(clinux_peer_groups(number, buffer.baseAddress, UInt32(most))))
        }
        return PeerCredentials(user: user, groups: Set(groups).union([group]))
    }

    /// Connects to a socket in the file system without blocking. The corresponding C function is `connect(2)`.
    ///
    /// - Throws: `SystemCallError`: `ENOENT` where the socket does not exist, `ECONNREFUSED` where no process listens,
    ///   `EACCES` where the user has no permission, `EAGAIN` where the queue of connections is full.
    package convenience init(connectingTo path: String) throws(SystemCallError) {
        self.init(
            owning: Descriptor(
                owning: try systemCall("connect", path) {
                    clinux_connect(path, CInt(SOCK_SEQPACKET.rawValue))
                }))
    }
}

/// The user and the process that have made a connection, as recorded by the kernel.
package struct SocketPeer: Hashable, Sendable {
    /// The effective user id, a `uid_t`.
    package let user: UInt32
    /// The process id, a `pid_t`; 0 for a process of another namespace.
    package let process: Int32
}

extension Descriptor {
    /// The peer of a connected Unix socket; `nil` where the kernel does not tell. The corresponding C function is `getsockopt(2)`
    /// with SO_PEERCRED.
    package var peer: SocketPeer? {
        var (user, group): (uid_t, gid_t) = (0, 0)
        guard clinux_peer(number, &user, &group) == 0 else { return nil }
        return SocketPeer(user: user, process: clinux_peer_process(number))
    }
}
