import Glibc
import Linux

/// A queue of bytes to the terminal, which never blocks when the terminal takes none.
struct OutputQueue: ~Copyable {
    private let descriptor: Descriptor
    private var waiting: ArraySlice<UInt8> = []

    /// The terminal is opened again, because O_NONBLOCK set on the existing description would affect the shell too.
    /// Another user's terminal (`su`) can be opened as `/dev/tty`, if it is the one that controls this process; if not,
    /// writing to it may block in the middle of a frame. Throws `failed`.
    init(to terminal: CInt) throws(TerminalError) {
        let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        var number = open("/proc/self/fd/\(terminal)", flags)
        if number < 0, Self.isControlling(terminal) { number = open("/dev/tty", flags) }
        if number < 0 { number = fcntl(terminal, F_DUPFD_CLOEXEC, 3) }
        guard number >= 0 else { throw .failed("cannot duplicate the terminal's descriptor", errno: errno) }
        descriptor = Descriptor(owning: number)
    }

    /// Whether it is of the terminal that controls this process.
    private static func isControlling(_ terminal: CInt) -> Bool {
        let session = tcgetsid(terminal)
        return session >= 0 && session == getsid(0)
    }

    /// The descriptor to poll for POLLOUT while something waits.
    var number: CInt { descriptor.number }

    mutating func append(_ bytes: some Sequence<UInt8>) { waiting += bytes }

    /// Sends what waits, as far as the terminal takes it; returns whether nothing waits any more. Throws `hungUp`, or
    /// `failed`.
    mutating func flush() throws(TerminalError) -> Bool {
        while !waiting.isEmpty {
            guard try isReady(descriptor.number, for: CInt(POLLOUT)) else { return false }
            let count = waiting.withUnsafeBytes { write(descriptor.number, $0.baseAddress, $0.count) }
            guard count < 0 else {
                waiting.removeFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: return false
            case EIO, EPIPE, ENXIO: throw .hungUp
            case let number: throw .failed("cannot write to the terminal", errno: number)
            }
        }
        waiting = []
        return true
    }

    mutating func discard() { waiting = [] }
}

/// Whether a terminal has something to read (POLLIN) or takes something (POLLOUT), without waiting. Throws `hungUp`, or
/// `failed`.
func isReady(_ terminal: CInt, for event: CInt) throws(TerminalError) -> Bool {
    var request = pollfd(fd: terminal, events: Int16(event), revents: 0)
    guard poll(&request, 1, 0) >= 0 else {
        if errno == EINTR { return false }
        throw .failed("cannot ask the terminal", errno: errno)
    }
    guard request.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else { throw .hungUp }
    return request.revents & Int16(event) != 0
}
