import Glibc
import Linux

/// A connection to a ringer: one that runs already for this journal, or one that is started for it.
final class RingerLink {
    /// How many bytes may wait for a ringer that does not read, beside those that its socket holds.
    private static let maxUnsent = 16_384

    private let socket: Descriptor
    /// The process that was started for this connection; `nil` for a ringer that ran already.
    let process: DetachedProcess?
    private var lines = LineSplitter(longest: RingerProtocol.maxLine)
    private var unsent: [UInt8] = []
    private var flood = FloodLimit.lines

    /// Connects to the ringer of the journal, else starts one. Neither waits for an answer.
    ///
    /// - Throws: `SystemCallError`, `ENOENT` where there is no executable.
    init(_ place: RingerPlace, executable: String, journal: String) throws(SystemCallError) {
        if let running = try? StreamListener.connect(place.socket) {
            socket = running
            process = nil
            return
        }
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try systemCall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
        let theirs = Descriptor(owning: ends[1])
        socket = Descriptor(owning: ends[0])
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        process = try DetachedProcess(
            [executable, "serve", journal, String(DetachedProcess.passedDescriptor)], passing: theirs.number)
    }

    /// Sends lines, as far as the ringer takes them; the rest is sent when `flush` is called.
    ///
    /// - Throws: `SystemCallError`, `EPIPE` where the ringer has ended, `ENOBUFS` where it does not read.
    func send(_ requests: [RingerRequest]) throws(SystemCallError) {
        for request in requests { unsent += (request.line + "\n").utf8 }
        try flush()
        if unsent.count > Self.maxUnsent { throw SystemCallError(call: "send", errno: ENOBUFS) }
    }

    func flush() throws(SystemCallError) {
        while !unsent.isEmpty {
            do throws(SystemCallError) {
                let count = try systemCall("send") {
                    unsent.withUnsafeBytes {
                        Glibc.send(socket.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                    }
                }
                unsent.removeFirst(count)
            } catch  where error.errno == EAGAIN { return }
        }
    }

    func watch(_ polled: inout PollSet) -> Int {
        polled.add(socket.number, CInt(POLLIN) | (unsent.isEmpty ? 0 : CInt(POLLOUT)))
    }

    /// Reads once, so that keys come before what else has arrived.
    ///
    /// - Returns: the replies; `nil` where the ringer has ended, floods, or says what it may not say.
    func receive(at now: MonotonicTime) -> [RingerReply]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(socket.number, &bytes, bytes.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        guard count > 0, flood.admits(count, at: now), let arrived = try? lines.add(bytes[..<count]) else {
            return nil
        }
        let replies = arrived.compactMap(RingerReply.init(line:))
        return replies.count == arrived.count ? replies : nil
    }
}
