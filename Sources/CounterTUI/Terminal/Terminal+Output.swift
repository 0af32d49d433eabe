import Glibc
package import Linux

extension Terminal {
    /// Shows `grid` and, if the terminal has one, `title` as its window's title. Writes only the differences to what
    /// is shown, all at once.
    ///
    /// A terminal that takes no output (Ctrl-S, a stalled connection) blocks nothing: the rest of a frame is kept
    /// here, and no other frame is begun before it is sent.
    ///
    /// - Returns: false if something is still to be sent: call `present` with the then current content when poll(2)
    ///   reports POLLOUT. True while the terminal is suspended, when nothing can be sent.
    /// - Throws: `hungUp` when the terminal is gone; `failed` when writing failed otherwise.
    @discardableResult
    package func present(_ grid: Grid, title: String = "") throws(TerminalError) -> Bool {
        guard !isSuspended else { return true }
        guard try output.flush() else { return false }
        if rings { curses.ring() }
        rings = false
        if curses.knowsNothing { output.append(sequences.plain.utf8) }
        curses.draw(grid)
        output.append(curses.takeOutput())
        if title != shownTitle, !title.isEmpty {
            output.append((sequences.title(title) ?? "").utf8)
            shownTitle = title
        }
        return try output.flush()
    }

    /// Has the terminal show a notification of its own, if it is known to have any. It may be asked first, and then shows
    /// it when it has answered.
    package func notify(title: String, text: String, at now: MonotonicTime = .now) {
        if !isSuspended { output.append(notifier.notify(title: title, text: text, at: now).utf8) }
    }

    /// Makes the next `present` write every cell (Ctrl-L).
    package func repaint() { curses.forget() }

    /// Rings the bell with the next `present`.
    package func bell() { rings = true }
}
