/// What is asked of terminals that know kitty's keyboard protocol; the others ignore it.
///
/// They deliver volume keys themselves then, where no desktop takes them, so these count without a device, as over SSH.
/// See <https://sw.kovidgoyal.net/kitty/keyboard-protocol/>.
enum KeyboardProtocol {
    private enum Flag {
        /// Every key without a text of its own in one form, Escape and Ctrl-C too.
        static let disambiguate = 1
        /// Releases, which holding and the chord need.
        static let eventTypes = 2
        /// The key on a Latin layout, for Ctrl-C on a Cyrillic one.
        static let alternateKeys = 4
    }

    /// Asks for all that, and which of it there is: the answer is `CSI ? flags u`. Belongs to the screen that is shown.
    static let enter = "\u{1B}[>\(Flag.disambiguate | Flag.eventTypes | Flag.alternateKeys)u\u{1B}[?u"
    /// Takes `enter` back.
    static let leave = "\u{1B}[<u"

    /// Whether a terminal that has answered with these flags tells of every release.
    static func tellsReleases(flags: Int) -> Bool { flags & Flag.eventTypes != 0 }
}
