/// What a terminal reports.
public enum TerminalEvent: Hashable, Sendable {
    /// A key without a character of its own.
    case key(Key)
    /// A typed character.
    case character(Character)
    /// A character of a text that was pasted, where the terminal tells that from typing; control characters are among them.
    case pasted(Character)
    /// A volume key that the terminal delivers itself, for want of a desktop that takes it.
    case volumeKey(VolumeKey, Stroke)
    /// The left mouse button, at this cell. One event for one press and release.
    case click(Point)
    /// The wheel of the mouse: so many clicks of it, below 0 away from the hand.
    case scroll(Int)
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
        /// Home, End, and Delete.
        case home, end, delete
        /// A key that turns pages.
        case pageUp, pageDown
        /// Tab, and Shift-Tab.
        case tab, backTab
        /// Enter, or Return.
        case enter
        /// Escape on its own.
        case escape
    }

    /// A volume key.
    public enum VolumeKey: Hashable, Sendable {
        /// Volume up.
        case raise
        /// Volume down.
        case lower
    }

    /// What happened to a volume key.
    public enum Stroke: Hashable, Sendable {
        /// It went down, and its release will be told.
        case pressed
        /// It went up.
        case released
        /// It went down, and its release will not be told: the terminal cannot.
        case tapped
    }
}
