import CounterModel
import Descriptors
import Glibc

/// `counter listen`: one line per change on standard output.
///
/// A reader that is slow never delays counting: lines wait here until the pipe takes them.
final class LineFront: Front {
    /// What POSIX promises a pipe to take without blocking once it is writable (PIPE_BUF).
    private static let chunk = 4096

    /// How long a reader may take nothing once the program is to end.
    private static let patience = Duration.seconds(1)

    private(set) var isDone = false
    private let session: CountingSession
    private let format: LineFormat
    private var unwritten: [UInt8] = []
    private var outputPlace: Int?
    /// What has been told of each source.
    private var toldSources: [String: String] = [:]

    init(_ session: CountingSession, format: LineFormat) throws {
        self.session = session
        self.format = format
    }

    let deadline: MonotonicTime? = nil

    /// Standard output is watched at rest too: for its reader going away.
    func watch(_ polled: inout PollSet) {
        outputPlace = polled.add(STDOUT_FILENO, unwritten.isEmpty ? 0 : CInt(POLLOUT))
    }

    func handle(_ polled: PollSet, at now: MonotonicTime) throws {
        guard let outputPlace else { return }
        let result = polled.result(at: outputPlace)
        if result.isGone { throw Failure("standard output: its reader is gone", status: EX_IOERR) }
        if result.isEmpty { return }
        try writeChunk()
    }

    func handle(signal: CInt) throws {
        switch signal {
        case SIGTERM, SIGINT, SIGHUP, SIGQUIT: isDone = true
        case SIGTSTP: try stop()
        default: break
        }
    }

    /// A stopped program counts nothing, so it holds nothing.
    private func stop() throws {
        try show(session.attend(.away))
        SignalDescriptor.stopProcess()
        try show(session.attend(format.attention))
    }

    func show(_ events: [SessionEvent]) throws {
        for event in events {
            switch event {
            case .stored(let receipts):
                for line in receipts.compactMap({ format.line(for: $0, in: session.location.id) }) {
                    unwritten += Array((line + "\n").utf8)
                }
            case .notice(let text): Output.complain(Failure(text, status: EX_OK))
            case .sourcesChanged: tellSources()
            case .changedElsewhere, .waits: break
            }
        }
    }

    /// Tells on standard error, where a service's log is, which sources came, went or are treated differently.
    private func tellSources() {
        var present: [String: String] = [:]
        for source in session.sources {
            let name = session.devices.name(of: source.stableID, own: source.name)
            let why = source.present.reason.map { ": \($0)" } ?? ""
            present[source.stableID] = "\(name.harmless): \(source.present.state.rawValue)\(why)"
        }
        for (id, text) in present.sorted(by: { $0.key < $1.key }) where toldSources[id] != text {
            Output.complain(Failure(text, status: EX_OK))
        }
        for id in toldSources.keys.sorted() where present[id] == nil {
            Output.complain(Failure("\(session.devices.name(of: id, own: id).harmless): gone", status: EX_OK))
        }
        toldSources = present
    }

    /// Writes what still waits, as long as its reader goes on taking it; at the end.
    ///
    /// - Throws: `Failure` (74) where it does not: that nobody reads must not keep the program from ending.
    func finish() throws {
        while !unwritten.isEmpty {
            var polled = PollSet()
            polled.add(STDOUT_FILENO, CInt(POLLOUT))
            try polled.wait(until: .now + Self.patience)
            guard !polled.result(at: 0).isEmpty else {
                throw Failure(
                    "standard output: its reader takes no more; what it has not read is in the journal",
                    status: EX_IOERR)
            }
            try writeChunk()
        }
    }

    private func writeChunk() throws {
        let part = unwritten.prefix(Self.chunk)
        let count = part.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        if count < 0 {
            if errno == EINTR || errno == EAGAIN { return }
            throw Failure("standard output: \(String(cString: strerror(errno)))", status: EX_IOERR)
        }
        unwritten.removeFirst(count)
    }
}
