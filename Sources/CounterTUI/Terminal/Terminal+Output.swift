internal import Glibc
import System

extension Terminal {
    /// Shows `grid` and, where the terminal has one, `title` over its window, writing only what differs from what is
    /// shown, in one go.
    ///
    /// A terminal that takes no output (Ctrl-S, a stalled connection) keeps nothing waiting: what was not sent of a
    /// frame stays here, and until it is on its way no other frame is begun.
    ///
    /// - Returns: false where something still has to be sent: present what is to be shown then when poll(2) says
    ///   POLLOUT. Nothing can be sent while the terminal is suspended; true then.
    /// - Throws: `hungUp` when the terminal is gone; `failed` when writing failed otherwise.
    @discardableResult
    public func present(_ grid: Grid, title: String = "") throws(TerminalError) -> Bool {
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

    /// Makes the next `present` write every cell, whatever the terminal shows (Ctrl-L).
    public func repaint() { curses.forget() }

    /// Rings the bell with the next `present`.
    public func bell() { rings = true }
}
