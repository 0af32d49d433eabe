import CTestSupport
import Glibc

/// A server that keeps to no protocol, on a socket of its own. A thread serves it until `end`.
package final class HostileServer {
    /// What it does with each connection.
    package enum Conduct: Hashable, Sendable {
        /// It leaves connections in the queue, as a server does that is stopped.
        case acceptsNone
        /// It reads nothing, and sends nothing.
        case isDeaf
        /// It reads everything, and sends nothing.
        case isSilent
        /// It sends a text again and again, as fast as it is read.
        case floods(with: [UInt8])
        /// It sends a text once, and nothing more.
        case sends([UInt8])
        /// It sends random bytes whenever it has read something.
        case sendsGarbage(seed: UInt64)
        /// It answers with a text whenever it has read something, and closes after so many times.
        case closes(after: Int, answering: [UInt8])
        /// It passes on what a real server and its client say, up to so many bytes of the server; then it closes or falls silent.
        case relays(to: String, bytes: Int, closes: Bool)
    }

    package let path: String
    private let state: State
    private let thread: OwnThread<Void>

    package init(_ path: String, _ conduct: Conduct) throws(SupportError) {
        self.path = path
        signal(SIGPIPE, SIG_IGN)
        let listener = try checked("listen", path) { ctest_listen(path, Int32(SOCK_STREAM.rawValue)) }
        let state = State(conduct, listener: listener)
        self.state = state
        thread = try OwnThread { state.run() }
    }

    deinit { end() }

    package func end() {
        guard state.stop() else { return }
        try? thread.result()
        unlink(path)
    }

    /// What the thread works on. Only `stop` is called by another thread.
    private final class State {
        private final class Connection {
            let number: Int32
            var answers = 0
            var unsent: ArraySlice<UInt8> = []
            /// The other end of what is passed on.
            weak var other: Connection?
            /// How many more bytes are passed on from here.
            var left = Int.max
            var isOver = false

            init(_ number: Int32) {
                self.number = number
                _ = fcntl(number, F_SETFL, O_NONBLOCK)
                _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            }

            deinit { close(number) }
        }

        private let conduct: Conduct
        private let listener: Int32
        private var stopReader: Int32 = -1
        private var stopWriter: Int32 = -1
        private var connections: [Connection] = []
        private var random = SplitMix64(seed: 0)

        init(_ conduct: Conduct, listener: Int32) {
            self.conduct = conduct
            self.listener = listener
            if case .sendsGarbage(let seed) = conduct { random = SplitMix64(seed: seed) }
            ctest_pipe(&stopReader, &stopWriter)
        }

        func stop() -> Bool {
            guard stopWriter >= 0 else { return false }
            close(stopWriter)
            stopWriter = -1
            return true
        }

        func run() {
            while turn() {}
            connections = []
            close(listener)
            close(stopReader)
        }

        /// Waits for something to do and does it; false at the end.
        private func turn() -> Bool {
            var polled = [pollfd(fd: stopReader, events: Int16(POLLIN), revents: 0)]
            polled.append(
                pollfd(fd: conduct == .acceptsNone ? -1 : listener, events: Int16(POLLIN), revents: 0))
            for connection in connections {
                let events = (conduct == .isDeaf ? 0 : POLLIN) | (connection.unsent.isEmpty ? 0 : POLLOUT)
                polled.append(pollfd(fd: connection.number, events: Int16(events), revents: 0))
            }
            guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { return false }
            if polled[0].revents != 0 { return false }
            for (connection, polled) in zip(connections, polled.dropFirst(2)) where polled.revents != 0 {
                connection.isOver = !serve(connection, polled.revents)
            }
            connections.removeAll { $0.isOver || $0.other?.isOver ?? false }
            if polled[1].revents != 0 { accept() }
            return true
        }

        private func accept() {
            let number = Glibc.accept(listener, nil, nil)
            guard number >= 0 else { return }
            let connection = Connection(number)
            switch conduct {
            case .floods(let text), .sends(let text): connection.unsent = text[...]
            case .relays(let path, let bytes, _):
                let server = Connection(ctest_connect(path))
                (server.other, server.left, connection.other) = (connection, bytes, server)
                connections.append(server)
            case .acceptsNone, .isDeaf, .isSilent, .sendsGarbage, .closes: break
            }
            connections.append(connection)
        }

        /// Whether the connection stays open.
        private func serve(_ connection: Connection, _ events: Int16) -> Bool {
            var buffer = [UInt8](repeating: 0, count: 4096)
            if events & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
                let count = conduct == .isDeaf ? 0 : read(connection.number, &buffer, buffer.count)
                if count == 0 || count < 0 && errno != EAGAIN { return false }
                if count < 0 { return true }
                switch conduct {
                case .sendsGarbage:
                    connection.unsent += (0..<random.below(3000)).map { _ in UInt8(random.below(256)) }
                case .closes(let most, let answer):
                    if connection.answers == most { return false }
                    connection.answers += 1
                    connection.unsent += answer
                case .relays(_, _, let closes):
                    let passed = buffer[..<min(count, connection.left)]
                    connection.left -= passed.count
                    connection.other?.unsent += passed
                    if closes, connection.left == 0 { return false }
                case .acceptsNone, .isDeaf, .isSilent, .floods, .sends: break
                }
            }
            guard !connection.unsent.isEmpty else { return true }
            let count = connection.unsent.withUnsafeBytes {
                write(connection.number, $0.baseAddress, $0.count)
            }
            if count < 0 { return errno == EAGAIN }
            connection.unsent = connection.unsent.dropFirst(count)
            if connection.unsent.isEmpty, case .floods(let text) = conduct { connection.unsent = text[...] }
            return true
        }
    }
}
