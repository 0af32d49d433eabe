import CTestSupport
import Glibc

/// Receives the messages that a service sends to systemd (sd_notify(3)), without systemd.
package final class NotificationSocket {
    /// The value of `NOTIFY_SOCKET`.
    package let path: String
    private let folder: ScratchFolder
    private let descriptor: Int32

    /// - Throws: ``SupportError``.
    package init() throws(SupportError) {
        let folder = try ScratchFolder()
        let path = folder.path(of: "notify")
        descriptor = try checked("bind", path) { ctest_bind_datagrams(path) }
        chmod(folder.path, 0o755)
        chmod(path, 0o666)
        self.folder = folder
        self.path = path
    }

    deinit { close(descriptor) }

    /// The messages since the last call, without waiting.
    package func take() throws(SupportError) -> [String] {
        var messages: [String] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN { return messages }
            try checked("recv", path) { Int32(count) }
            messages.append(String(decoding: bytes[..<count], as: UTF8.self))
        }
    }
}
