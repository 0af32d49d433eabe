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
    /// So many pages on, or back, in what lies over the screen; after the last comes the first.
    case turn(pages: Int)
    /// Leave what lies over the screen.
    case closeOverlay
    /// The answer to the question that lies over the screen.
    case answer(yes: Bool)
    /// Show the tab with this number, from 0.
    case selectTab(Int)
    /// Look at the location with this id.
    case selectPlace(String)
    /// What only the Live screen knows.
    case live(LiveIntent)
    /// What only the History screen knows.
    case history(HistoryIntent)
    /// What only the Admin screen knows.
    case admin(AdminIntent)
    /// Draw again, with what has changed.
    case redraw
    /// Draw again, and ring the bell: what was typed could not be taken.
    case ring
    /// Draw every cell again, whatever the terminal shows now (Ctrl-L).
    case repaint
    /// Stop until the shell continues the program (Ctrl-Z).
    case suspend
    /// Leave the program.
    case quit
}
