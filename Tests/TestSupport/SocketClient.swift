import CTestSupport
import Glibc

/// A client of a Unix socket, driven by the test.
package final class SocketClient {
    private let lines: LineBuffer
    private var number: Int32 { lines.descriptor }

    /// Connects.
    ///
    /// - Throws: ``SupportError/system(call:subject:errno:)`` where no process listens.
    package init(_ path: String) throws(SupportError) {
        lines = try LineBuffer(try checked("connect", path) { ctest_connect(path) })
    }

    /// Sends a whole text, however long that takes.
    package func send(_ text: String) throws(SupportError) { try send(Array(text.utf8)) }

    /// Sends bytes.
    package func send(_ bytes: [UInt8]) throws(SupportError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try sendNow(rest))
            var waited = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            try checked("poll") { poll(&waited, 1, 10_000) }
        }
    }

    /// Sends as many bytes as the socket accepts without waiting.
    ///
    /// - Returns: The number of bytes.
    package func sendNow(_ bytes: ArraySlice<UInt8>) throws(SupportError) -> Int {
        let count = bytes.withUnsafeBytes {
            Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        if count >= 0 { return count }
        guard errno == EAGAIN else { throw .system(call: "send", subject: "the socket", errno: errno) }
        return 0
    }

    /// The next line of the answer; nil at the end.
    package func readLine(timeout: Duration = testTimeout) throws(SupportError) -> String? {
        try lines.readLine(timeout: timeout)
    }

    /// The next line of the answer, if it has arrived already.
    package func nextLine() throws(SupportError) -> String? {
        if let line = lines.takeLine() { return line }
        try lines.fill()
        return lines.takeLine()
    }

    /// Closes the sending direction; the answer can still be read.
    package func endSending() { shutdown(number, Int32(SHUT_WR)) }
}
