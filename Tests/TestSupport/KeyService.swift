import CTestSupport
import Glibc

/// Runs `counter-keys` as the service. Like with systemd, the listening socket stays open while service processes start
/// and end.
package final class KeyService {
    package var path: String { folder.path(of: "keys.socket") }
    private let folder: ScratchFolder
    private let listener: Int32
    private let preparation: String
    package private(set) var child: ChildProcess

    package init(after preparation: String = "") throws(SupportError) {
        let folder = try ScratchFolder()
        let path = folder.path(of: "keys.socket")
        let listener = try checked("listen", path) { ctest_listen(path, Int32(SOCK_SEQPACKET.rawValue)) }
        // Any user may connect; the service itself decides which clients it accepts.
        chmod(folder.path, 0o755)
        chmod(path, 0o666)
        self.folder = folder
        self.listener = listener
        self.preparation = preparation
        child = try Self.start(at: listener, after: preparation)
    }

    deinit {
        child.end()
        close(listener)
    }

    /// Starts the service again if it has ended by itself, as systemd does when a client connects.
    package func startWhereEnded() throws(SupportError) {
        if !child.process.isAlive { try restart() }
    }

    /// Ends the service if it runs, and starts it again.
    package func restart() throws(SupportError) {
        child.end()
        child = try Self.start(at: listener, after: preparation)
    }

    /// Kills the service; the socket stays, but nothing accepts its connections.
    package func end() { child.end() }

    /// `exec` keeps the shell's process id, so LISTEN_PID names the service.
    private static func start(
        at listener: Int32, after preparation: String
    ) throws(SupportError) -> ChildProcess {
        try ChildProcess(
            [
                "sh", "-c", "\(preparation)\nLISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\"",
                BuiltProducts.counterKeys,
            ],
            streams: .pipesAnd(listener))
    }
}

/// Receives the messages that a service sends to systemd (sd_notify(3)), without systemd.
package final class NotificationSocket {
    package let path: String
    private let folder: ScratchFolder
    private let descriptor: Int32

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
