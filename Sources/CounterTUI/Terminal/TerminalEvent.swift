/// An event of a terminal.
package enum TerminalEvent: Hashable, Sendable {
    /// A key without a character of its own.
    case key(Key)
    /// A typed character.
    case character(Character)
    /// Pasted text, if the terminal marks it; control characters are included.
    case pasted(String)
    /// Pasted text had no end, and is thrown away.
    case pasteCutOff
    /// A volume key that the terminal reports itself, because no desktop takes it.
    case volumeKey(VolumeKey, Stroke)
    /// A click of the left mouse button at this cell. One event for press and release.
    case click(Point)
    /// The number of clicks of the mouse wheel; negative is up.
    case scroll(Int)
    /// The terminal has another size than before.
    case resize(Size)
    /// The terminal has gained the focus (`CSI I`).
    case focusGained
    /// The terminal has lost the focus (`CSI O`).
    case focusLost

    /// The keys that have a meaning on some screen.
    package enum Key: Hashable, Sendable {
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
    package enum VolumeKey: Hashable, Sendable {
        /// Volume up.
        case raise
        /// Volume down.
        case lower
    }

    /// What is told of a paste without an end.
    package static let pasteNotice = "pasted text had no end; it is thrown away"

    /// What happened to a volume key.
    package enum Stroke: Hashable, Sendable {
        /// It went down, and its release will be reported.
        case pressed
        /// It went up.
        case released
        /// It went down; the terminal cannot report its release.
        case tapped
    }
}
