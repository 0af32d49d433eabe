internal import Glibc
public import System

extension Terminal {
    /// How long after Escape the rest of a key's sequence may come; after that it was the Escape key.
    private static let escapeTimeout = Duration.milliseconds(25)
    /// How long after its last byte the rest of a sequence or a string may come; after that it is discarded. Also how
    /// long a sequence may still follow an Escape that was taken as the key.
    private static let restTimeout = Duration.seconds(1)
    /// How many bytes are read at once.
    private static let maxBatch = 1024

    /// When `events` is to be called even if nothing can be read; nil at rest.
    public var deadline: MonotonicTime? { waitEnds }

    /// The events since the last call, without waiting for more.
    ///
    /// Large input, such as a pasted book, is returned in parts: the descriptor stays readable, and the caller can
    /// handle other descriptors in between.
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
            // Readable without data means the end, unless something has just arrived.
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

    // Returns false if nothing could be read.
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
