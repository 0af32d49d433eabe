import CLinux
import Glibc

/// A stream to a program that may be slow, gone or hostile: nothing waits for it, and one that floods is left.
package final class StreamConnection {
    private let socket: Descriptor
    /// How many bytes may wait for a peer that does not read, beside those that its socket holds.
    private let maxUnsent: Int
    private var flood = FloodLimit.lines
    package private(set) var unsent: [UInt8] = []

    /// Takes over a connected socket and makes it non-blocking.
    package init(_ socket: consuming Descriptor, maxUnsent: Int = .max) {
        _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
        self.socket = socket
        self.maxUnsent = maxUnsent
    }

    package func watch(_ polled: inout PollSet) -> Int {
        polled.add(socket.number, CInt(POLLIN) | (unsent.isEmpty ? 0 : CInt(POLLOUT)))
    }

    package func append(_ text: String) { unsent += text.utf8 }

    /// Sends what the peer takes. Throws `EPIPE` where the peer has ended, `ENOBUFS` where it does not read.
    package func flush() throws(SystemCallError) {
        while !unsent.isEmpty {
            do throws(SystemCallError) {
                let count = try systemCall("send") {
                    unsent.withUnsafeBytes {
                        Glibc.send(socket.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                    }
                }
                unsent.removeFirst(count)
            } catch {
                if error.errno != EAGAIN { throw error }
                if unsent.count > maxUnsent { throw SystemCallError(call: "send", errno: ENOBUFS) }
                return
            }
        }
    }

    /// Reads once, so that others have their turn. `nil` where the peer has ended, or floods.
    package func receive(at now: MonotonicTime) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(socket.number, &bytes, bytes.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        guard count > 0, flood.admits(count, at: now) else { return nil }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

/// The service manager that has started this process as a unit which may notify it; see sd_notify(3).
package final class ServiceManager {
    private let socket: Descriptor

    /// `path` is the socket; with an `@` for the leading zero it is an abstract name (unix(7)).
    package init(at path: String) throws(SystemCallError) {
        socket = try Descriptor(from: "connect", path) { clinux_connect(path, CInt(SOCK_DGRAM.rawValue)) }
    }

    /// That of `NOTIFY_SOCKET`; `nil` where none has started this process.
    package static var current: ServiceManager? {
        environmentVariable("NOTIFY_SOCKET").flatMap { try? ServiceManager(at: $0) }
    }

    /// Sends a state, such as `READY=1`. An error is ignored: at worst systemd kills the service and starts it again.
    package func send(_ state: String) {
        _ = try? systemCall("send") {
            state.utf8CString.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count - 1, CInt(MSG_NOSIGNAL))
            }
        }
    }
}
