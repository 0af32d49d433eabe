import Glibc

/// A queue of lines for a descriptor whose reader may be slow.
///
/// The queue is limited. Lines that do not fit are dropped, except the newest, so that a reader that resumes ends with the
/// current state.
package struct LineQueue {
    /// The number of bytes that a writable pipe accepts without blocking by POSIX (PIPE_BUF).
    private static let piece = 4096

    /// 1 MiB: some 200,000 counts.
    package static let usualLimit = 1 << 20

    private let limit: Int
    private var waiting: ArraySlice<UInt8> = []
    /// The newest line that did not fit.
    private var newest: String?
    private var leftOut = 0

    /// Creates an empty queue.
    ///
    /// - Parameter limit: the maximum number of bytes in the queue, one line aside.
    package init(limit: Int = usualLimit) { self.limit = limit }

    /// Whether the queue is empty.
    package var isEmpty: Bool { waiting.isEmpty && newest == nil }

    /// Adds a line; a line feed is appended.
    package mutating func append(_ line: String) {
        if newest == nil, waiting.count + line.utf8.count < limit {
            waiting += (line + "\n").utf8
        } else {
            if newest != nil { leftOut += 1 }
            newest = line
        }
    }

    /// Writes as much as a pipe that `poll(2)` reports writable accepts without blocking.
    ///
    /// - Returns: how many lines were dropped before the line that comes next; usually 0.
    /// - Throws: `SystemCallError`; EAGAIN and EINTR are not errors here.
    package mutating func write(to descriptor: CInt) throws(SystemCallError) -> Int {
        let count = waiting.prefix(Self.piece).withUnsafeBytes {
            Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        if count >= 0 {
            waiting.removeFirst(count)
        } else if errno != EAGAIN, errno != EINTR {
            throw SystemCallError(call: "write")
        }
        return waiting.isEmpty ? takeNewest() : 0
    }

    /// Appends the newest line that did not fit; returns how many lines before it were dropped.
    private mutating func takeNewest() -> Int {
        waiting = []
        guard let line = newest else { return 0 }
        defer { leftOut = 0 }
        newest = nil
        // No limit applies: the queue is empty otherwise.
        waiting += (line + "\n").utf8
        return leftOut
    }
}
