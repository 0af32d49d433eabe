internal import Glibc
public import System

extension Terminal {
    /// How long after Escape the rest of a key's sequence may come; later it was the Escape key.
    private static let escapeTimeout = Duration.milliseconds(25)
    /// How long after its last byte the rest of a sequence or a string may come; later it is given up. Also how long an
    /// Escape that was taken for the key may still turn out to have been the beginning of one.
    private static let restTimeout = Duration.seconds(1)
    /// How many bytes are read in one go.
    private static let maxBatch = 1024

    /// When `events` is to be called though nothing can be read; nil at rest.
    public var deadline: MonotonicTime? { waitEnds }

    /// What has been typed and clicked since the last call, without waiting for more.
    ///
    /// What is more than somebody types at once, such as a book that is pasted, comes in parts: the descriptor can then be
    /// read again at once, and whoever calls can hear others in between.
    ///
    /// - Throws: `hungUp` when the terminal is gone; what it had sent before is then lost.
    ///
    /// The corresponding C function is read(2).
    public func events(at now: MonotonicTime = .now) throws(TerminalError) -> [TerminalEvent] {
        guard !isSuspended else { return [] }
        if let escapeTaken, now > escapeTaken + Self.restTimeout {
            decoder.forgetEscape()
            self.escapeTaken = nil
        }
        var events: [TerminalEvent] = []
        if try isReadable(), !drain(into: &events) {
            // Readable, and yet there was nothing to read: that is the end, unless something came just now.
            if try isReadable(), !drain(into: &events) { throw .hungUp }
        }
        if let waitEnds, now >= waitEnds, let event = giveUp(at: now) { events.append(event) }
        waitEnds = decoder.wait.map {
            waitEnds ?? now + ($0 == .escape ? Self.escapeTimeout : Self.restTimeout)
        }
        return events
    }

    private func giveUp(at now: MonotonicTime) -> TerminalEvent? {
        waitEnds = nil
        guard let escape = decoder.giveUp() else { return nil }
        escapeTaken = now
        return escape
    }

    // False where not a single byte could be read.
    private func drain(into events: inout [TerminalEvent]) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: Self.maxBatch, alignment: 1) { buffer in
            let count = read(inputDescriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return false }
            waitEnds = nil
            events += buffer[..<count].compactMap { decoder.feed($0) }
            return true
        }
    }

    private func isReadable() throws(TerminalError) -> Bool {
        var request = pollfd(fd: inputDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 0) >= 0 else {
            if errno == EINTR { return false }
            throw .failed("cannot ask the terminal", errno: errno)
        }
        guard request.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else { throw .hungUp }
        return request.revents & Int16(POLLIN) != 0
    }
}
