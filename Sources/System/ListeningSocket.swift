import CLinux
import Glibc

/// A socket where others connect, such as systemd hands over.
public final class ListeningSocket {
    private let descriptor: Descriptor
    private let closer: ClosingThread

    /// Takes over a listening `SOCK_SEQPACKET` socket and makes it non-blocking.
    ///
    /// Nobody who connects may send descriptors along: kernels that can (6.16) refuse them.
    ///
    /// - Parameters:
    ///   - descriptor: the socket.
    ///   - closer: who closes the connections, for strangers have made them.
    public init(owning descriptor: consuming Descriptor, connectionsClosedBy closer: ClosingThread) {
        _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK)
        _ = clinux_refuse_descriptors(descriptor.number)
        self.closer = closer
        self.descriptor = descriptor
    }

    /// Its file's path; `nil` where it has none. The corresponding C function is `getsockname(2)`.
    public var path: String? {
        var path = [CChar](repeating: 0, count: 128)
        guard clinux_socket_path(number, &path, UInt(path.count)) == 0, path[0] == CChar(UInt8(ascii: "/"))
        else {
            return nil
        }
        return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The descriptor to poll; readable when somebody has connected.
    public var number: CInt { descriptor.number }

    /// The next connection. The corresponding C function is `accept4(2)`.
    ///
    /// - Returns: `nil` where none waits.
    /// - Throws: `SystemCallError`: `EMFILE`, `ENFILE` or `ENOMEM` where there is no room for one. It goes on waiting then,
    ///   and the socket stays readable.
    public func accept() throws(SystemCallError) -> PacketSocket? {
        do throws(SystemCallError) {
            let number = try systemCall("accept4") { clinux_accept(descriptor.number) }
            return PacketSocket(owning: Descriptor(owning: number, closedBy: closer))
        } catch  where error.errno == EAGAIN || error.errno == ECONNABORTED {
            return nil
        }
    }
}

/// Who is at the other end of a connection, as the kernel noted when it was made.
public struct PeerCredentials: Hashable, Sendable {
    /// The effective user, a `uid_t`.
    public let user: UInt32
    /// The effective group and the supplementary ones, each a `gid_t`.
    public let groups: Set<UInt32>

    /// Credentials from their parts.
    public init(user: UInt32, groups: Set<UInt32>) {
        self.user = user
        self.groups = groups
    }
}

extension PacketSocket {
    /// Who is at the other end; `nil` where the kernel does not say.
    ///
    /// The corresponding C function is `getsockopt(2)` with SO_PEERCRED and SO_PEERGROUPS.
    public var peer: PeerCredentials? {
        var (user, group): (uid_t, gid_t) = (0, 0)
        guard clinux_peer(number, &user, &group) == 0 else { return nil }
        // NGROUPS_MAX
        let most = 65_536
        let groups = [gid_t](unsafeUninitializedCapacity: most) { buffer, count in
            count = max(0, Int(clinux_peer_groups(number, buffer.baseAddress, UInt32(most))))
        }
        return PeerCredentials(user: user, groups: Set(groups).union([group]))
    }

    /// Connects to a socket in the file system without ever waiting. The corresponding C function is `connect(2)`.
    ///
    /// - Throws: `SystemCallError`: `ENOENT` where there is none, `ECONNREFUSED` where nobody listens, `EACCES` where the
    ///   user may not, `EAGAIN` where too many are waiting already.
    public convenience init(connectingTo path: String) throws(SystemCallError) {
        self.init(
            owning: Descriptor(
                owning: try systemCall("connect", path) {
                    clinux_connect(path, CInt(SOCK_SEQPACKET.rawValue))
                }))
    }
}
