import CLinux
import Glibc

/// Sends single messages to a `SOCK_DGRAM` socket in the file system, such as systemd's of sd_notify(3).
package struct DatagramSocket: ~Copyable {
    private let descriptor: Descriptor

    /// The corresponding C function is `connect(2)`, which never waits here.
    ///
    /// - Parameter path: where the socket is; with an `@` for the leading zero it is an abstract name (unix(7)).
    /// - Throws: `SystemCallError`: `ENOENT` where there is none.
    package init(connectingTo path: String) throws(SystemCallError) {
        descriptor = Descriptor(
            owning: try systemCall("connect", path) { clinux_connect(path, CInt(SOCK_DGRAM.rawValue)) })
    }

    /// The corresponding C function is `send(2)`.
    ///
    /// - Throws: `SystemCallError`: `EAGAIN` if the receiver does not read.
    package func send(_ text: String) throws(SystemCallError) {
        try systemCall("send") {
            text.utf8CString.withUnsafeBytes {
                Glibc.send(descriptor.number, $0.baseAddress, $0.count - 1, CInt(MSG_NOSIGNAL))
            }
        }
    }
}
