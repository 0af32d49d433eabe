/// What a user wants, told by a key or a click. The executable carries it out.
public enum Intent: Hashable, Sendable {
    /// One more.
    case countUp
    /// One less.
    case countDown
    /// Back to 0.
    case reset
    /// Take back the last change.
    case undo
    /// Give the volume keys back to the system, or take them again (`v`).
    case toggleHold
    /// Show the help, or leave it.
    case toggleHelp
    /// Show each source with its reason and remedy, or leave that.
    case toggleDetails
    /// The next page of what lies over the screen; after the last comes the first.
    case nextPage
    /// Leave what lies over the screen.
    case closeOverlay
    /// Show the tab with this number, from 0.
    case selectTab(Int)
    /// Draw again, with what has changed.
    case redraw
    /// Draw every cell again, whatever the terminal shows now (Ctrl-L).
    case repaint
    /// Leave the program.
    case quit
}
