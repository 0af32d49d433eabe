/// What a terminal reports.
public enum TerminalEvent: Hashable, Sendable {
    /// A key without a character of its own.
    case key(Key)
    /// A typed character.
    case character(Character)
    /// The left mouse button, at this cell. One event for one press and release.
    case click(Point)
    /// The terminal has another size than before.
    case resize(Size)
    /// The terminal's window is in front (`CSI I`).
    case focusGained
    /// Another window is in front (`CSI O`).
    case focusLost

    /// The keys that mean something on some screen.
    public enum Key: Hashable, Sendable {
        /// An arrow key.
        case up, down, left, right
        /// A key that turns pages.
        case pageUp, pageDown
        /// Tab, and Shift-Tab.
        case tab, backTab
        /// Enter, or Return.
        case enter
        /// Escape on its own.
        case escape
    }
}
