internal import CNcurses
internal import Glibc

extension Terminal {
    /// Everything that has been typed and clicked since the last call, without waiting for more.
    ///
    /// A lone Escape is known as such after 25 ms, which this call may take.
    ///
    /// - Throws: `hungUp` when the terminal is gone; what it had sent before is then lost.
    ///
    /// The corresponding C function is wgetch(3).
    public func events() throws(TerminalError) -> [TerminalEvent] {
        guard !isSuspended, try isReadable() else { return [] }
        if let events = drain() { return events }
        // Readable, and yet there was nothing to read: that is the end, unless something came just now.
        guard try isReadable() else { return [] }
        if let events = drain() { return events }
        throw .hungUp
    }

    // nil where not a single code could be read.
    private func drain() -> [TerminalEvent]? {
        var events: [TerminalEvent] = []
        var hasRead = false
        while case let code = wgetch(cncurses_window()), code != ERR {
            hasRead = true
            if let event = decoder.feed(code) { events.append(event) }
        }
        if let event = decoder.finish() { events.append(event) }
        return hasRead ? events : nil
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
