import Glibc

/// Lines for a descriptor whose reader may be slow: they wait here until it takes them.
///
/// What waits is limited. Lines above that are left out, but for the newest, so that a reader that reads again ends
/// with what is true now.
public struct LineQueue {
    /// What POSIX promises a pipe to take without waiting once it is writable (PIPE_BUF).
    private static let piece = 4096

    /// A MiB: some 200,000 counts.
    public static let usualLimit = 1 << 20

    private let limit: Int
    private var waiting: ArraySlice<UInt8> = []
    /// The newest line of those that did not fit.
    private var newest: String?
    private var leftOut = 0

    /// An empty queue.
    ///
    /// - Parameter limit: how many bytes may wait, one line aside.
    public init(limit: Int = usualLimit) { self.limit = limit }

    /// Whether nothing waits.
    public var isEmpty: Bool { waiting.isEmpty && newest == nil }

    /// Adds a line; its end is added to it.
    public mutating func append(_ line: String) {
        if newest == nil, waiting.count + line.utf8.count < limit {
            waiting += (line + "\n").utf8
        } else {
            if newest != nil { leftOut += 1 }
            newest = line
        }
    }

    /// Writes as much of it as a pipe that poll(2) calls writable takes without waiting.
    ///
    /// - Returns: how many lines are left out before the one that follows now; mostly 0.
    /// - Throws: `SystemCallError`; EAGAIN and EINTR are none.
    public mutating func write(to descriptor: CInt) throws(SystemCallError) -> Int {
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

    /// Goes on with the newest line that did not fit; how many before it are left out.
    private mutating func takeNewest() -> Int {
        waiting = []
        guard let line = newest else { return 0 }
        defer { leftOut = 0 }
        newest = nil
        // However long it is: nothing else waits.
        waiting += (line + "\n").utf8
        return leftOut
    }
}
