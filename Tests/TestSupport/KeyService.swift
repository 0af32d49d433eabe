import CTestSupport
import Glibc

/// `counter-keys` as the service: at a listening socket that stays while processes come and go, as systemd's does.
package final class KeyService {
    /// Where clients connect.
    package var path: String { folder.path(of: "keys.socket") }
    private let folder: ScratchFolder
    private let listener: Int32
    private let preparation: String
    /// The running service.
    package private(set) var child: ChildProcess

    /// Starts it.
    ///
    /// - Parameter preparation: what a shell does before, in the same process: limits, for example.
    /// - Throws: ``SupportError``.
    package init(after preparation: String = "") throws(SupportError) {
        let folder = try ScratchFolder()
        let path = folder.path(of: "keys.socket")
        let listener = try checked("listen", path) { ctest_listen(path) }
        // Whoever may connect, it is the service that says who is served.
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

    /// Starts it again if it has ended by itself, as systemd does when somebody connects.
    package func startWhereEnded() throws(SupportError) {
        if !child.process.isAlive { try restart() }
    }

    /// Starts it again, whatever became of it.
    package func restart() throws(SupportError) {
        child.end()
        child = try Self.start(at: listener, after: preparation)
    }

    /// Kills it, and leaves the socket without anybody who listens.
    package func end() { child.end() }

    /// The shell's number stays that of what it is replaced by: the socket is meant for that.
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
