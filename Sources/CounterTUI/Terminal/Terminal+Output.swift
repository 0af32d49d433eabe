internal import CNcurses
internal import Glibc

extension Terminal {
    /// Shows `grid`, writing only what differs from what is shown.
    ///
    /// - Returns: false where the terminal takes no output now (stopped with Ctrl-S, or a stalled connection) or is
    ///   suspended, and nothing was written: present again when poll(2) says POLLOUT, or after `resume`.
    /// - Throws: `hungUp` when the terminal is gone; `failed` when writing failed otherwise.
    ///
    /// The corresponding C function is doupdate(3).
    @discardableResult
    public func present(_ grid: Grid) throws(TerminalError) -> Bool {
        guard !isSuspended, try isWritable() else { return false }
        // Cells that the grid does not reach keep nothing from before.
        if shown?.size != grid.size { werase(cncurses_window()) }
        for row in 0..<grid.size.rows where !isShown(row, of: grid) {
            writer.write(grid.row(row), row: row)
        }
        shown = grid
        // Where the cursor cannot be hidden it rests at the lower left, out of the number.
        wmove(cncurses_window(), CInt(max(0, size.rows - 1)), 0)
        wnoutrefresh(cncurses_window())
        try flush()
        return true
    }

    /// Makes the next `present` write every cell, whatever the terminal shows (Ctrl-L).
    public func repaint() {
        shown = nil
        cncurses_repaint()
    }

    /// Sets the window's title, where the terminal has one. `close` and `suspend` bring the user's title back.
    ///
    /// - Returns: false where the terminal takes no output now, as with `present`; it still has the old title then.
    /// - Throws: `hungUp` when the terminal is gone.
    @discardableResult
    public func title(_ text: String) throws(TerminalError) -> Bool {
        guard let title = type.title else { return true }
        // Writing to a terminal that is stopped would wait until it goes on, and nothing would be counted meanwhile.
        guard !isSuspended, try isWritable() else { return false }
        write(title.start + text.harmless + title.end)
        return true
    }

    /// Rings the bell, where the terminal takes output now.
    ///
    /// The corresponding C function is beep(3).
    public func bell() {
        guard !isSuspended, (try? isWritable()) == true else { return }
        beep()
    }

    /// Writes control sequences at once. Only what can be lost goes this way: a terminal that takes no output loses it.
    func write(_ sequence: String) {
        guard !sequence.isEmpty else { return }
        var bytes = Array(sequence.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(outputDescriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    private func isShown(_ row: Int, of grid: Grid) -> Bool {
        guard let shown, shown.size == grid.size else { return false }
        return shown.row(row) == grid.row(row)
    }

    private func isWritable() throws(TerminalError) -> Bool {
        var request = pollfd(fd: outputDescriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&request, 1, 0) >= 0 else {
            if errno == EINTR { return false }
            throw .failed("cannot ask the terminal", errno: errno)
        }
        guard request.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else { throw .hungUp }
        return request.revents & Int16(POLLOUT) != 0
    }

    // curses keeps the errors of write(2) to itself, but leaves errno as they set it.
    private func flush() throws(TerminalError) {
        errno = 0
        let result = doupdate()
        switch errno {
        case EIO, EPIPE, ENXIO, EBADF: throw .hungUp
        case let number where result == ERR: throw .failed("cannot write to the terminal", errno: number)
        default: return
        }
    }
}
