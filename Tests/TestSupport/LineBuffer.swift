import CTestSupport
import Glibc

/// Reads lines from a descriptor, which it owns.
final class LineBuffer {
    let descriptor: Int32
    /// Whether the other end is closed and everything has been read.
    private(set) var hasEnded = false
    private var bytes: [UInt8] = []

    init(_ descriptor: Int32) throws(SupportError) {
        self.descriptor = descriptor
        let flags = fcntl(descriptor, F_GETFL)
        try checked("fcntl") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    }

    deinit { close(descriptor) }

    /// Takes everything that has been read and not been taken yet.
    func takeAll() -> String { String(decoding: takeBytes(), as: UTF8.self) }

    /// The same as bytes.
    func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Takes the next whole line, without its line end; at the end of input, the incomplete last line.
    func takeLine() -> String? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            return hasEnded && !bytes.isEmpty ? takeAll() : nil
        }
        defer { bytes.removeSubrange(...end) }
        // A terminal ends lines with CR LF.
        let line = bytes[..<end]
        return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }

    /// Reads what is available, without waiting.
    func fill() throws(SupportError) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !hasEnded {
            let size = read(descriptor, &buffer, buffer.count)
            if size > 0 {
                bytes += buffer[..<size]
            } else if size == 0 || errno == EIO {
                hasEnded = true  // EIO: no process has the terminal open any more
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                throw .system(call: "read", subject: "a child's output", errno: errno)
            }
        }
    }

    /// Reads until it holds what is waited for, or until the end.
    func fill(
        untilThereIs what: String, timeout: Duration, _ isThere: () -> Bool
    ) throws(SupportError) {
        let deadline = ContinuousClock.now + timeout
        try fill()
        while !isThere(), !hasEnded {
            guard try awaitEvents(of: descriptor, until: deadline) else {
                throw .timedOut(waitingFor: what, after: timeout, last: takeAll())
            }
            try fill()
        }
    }

    func readLine(timeout: Duration) throws(SupportError) -> String? {
        try fill(untilThereIs: "a line", timeout: timeout) { bytes.contains(UInt8(ascii: "\n")) }
        return takeLine()
    }

    /// Waits until a text has arrived, and takes everything up to its end.
    func take(past text: String, timeout: Duration) throws(SupportError) -> String {
        var place: Range<Int>?
        try fill(untilThereIs: "'\(text)'", timeout: timeout) {
            place = bytes.firstRange(of: Array(text.utf8))
            return place != nil
        }
        guard let place else {
            throw .timedOut(waitingFor: "'\(text)'", after: timeout, last: takeAll())
        }
        defer { bytes.removeSubrange(..<place.upperBound) }
        return String(decoding: bytes[..<place.upperBound], as: UTF8.self)
    }
}

/// A client of a socket, driven by the test.
package final class SocketClient {
    private let lines: LineBuffer
    private var number: Int32 { lines.descriptor }

    package init(_ path: String) throws(SupportError) {
        lines = try LineBuffer(try checked("connect", path) { ctest_connect(path) })
    }

    /// Connects to a port of this machine.
    package init(port: Int) throws(SupportError) {
        let number = try checked("socket") {
            socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        }
        lines = try LineBuffer(number)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        try withUnsafeBytes(of: &address) { bytes throws(SupportError) in
            let result = Glibc.connect(
                number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            guard result == 0 || errno == EINPROGRESS else {
                throw .system(call: "connect", subject: "port \(port)", errno: errno)
            }
        }
        try awaitWritable()
    }

    /// Waits until it is connected and takes more, for 10 s at most.
    private func awaitWritable() throws(SupportError) {
        _ = try awaitEvents(POLLOUT, of: number, until: .now + .seconds(10))
    }

    /// Sends a whole text, however long that takes.
    package func send(_ text: String) throws(SupportError) { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws(SupportError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try sendNow(rest))
            try awaitWritable()
        }
    }

    /// Sends as many bytes as the socket accepts without waiting.
    package func sendNow(_ bytes: ArraySlice<UInt8>) throws(SupportError) -> Int {
        let count = bytes.withUnsafeBytes {
            Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        if count >= 0 { return count }
        guard errno == EAGAIN else { throw .system(call: "send", subject: "the socket", errno: errno) }
        return 0
    }

    package func readLine(timeout: Duration = testTimeout) throws(SupportError) -> String? {
        try lines.readLine(timeout: timeout)
    }

    /// The next line of the answer, if it has arrived already.
    package func nextLine() throws(SupportError) -> String? {
        if let line = lines.takeLine() { return line }
        try lines.fill()
        return lines.takeLine()
    }

    /// Everything up to the end of the connection.
    package func readToEnd(timeout: Duration = testTimeout) throws(SupportError) -> String {
        do throws(SupportError) {
            try lines.fill(untilThereIs: "the end of the connection", timeout: timeout) { false }
        } catch {
            // A connection that is reset has ended.
            guard case .system(_, _, ECONNRESET) = error else { throw error }
        }
        return lines.takeAll()
    }

    /// Waits until a text has come, and takes everything up to its end.
    @discardableResult
    package func take(past text: String, timeout: Duration = testTimeout) throws(SupportError) -> String {
        try lines.take(past: text, timeout: timeout)
    }

    /// Everything that has come and was not taken.
    package func takeAll() throws(SupportError) -> [UInt8] {
        try lines.fill()
        return lines.takeBytes()
    }

    /// Closes the sending direction; the answer can still be read.
    package func endSending() { shutdown(number, Int32(SHUT_WR)) }
}
