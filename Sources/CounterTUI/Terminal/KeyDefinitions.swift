internal import CNcurses

/// Which key a sequence of bytes is on this terminal, as terminfo(5) knows it.
struct KeyDefinitions: Sendable {
    /// What the bytes so far are.
    enum Match: Hashable {
        /// No key, nor the beginning of one.
        case none
        /// The beginning of one or more keys.
        case beginning
        /// A key; nil for one that means nothing here.
        case key(TerminalEvent.Key?)
    }

    /// Looks up bytes that begin with Escape.
    let match: @Sendable ([UInt8]) -> Match

    /// Knows none.
    static let none = KeyDefinitions { _ in .none }

    /// Those of the terminal that ncurses has open.
    ///
    /// The corresponding C function is key_defined(3X).
    static let curses = KeyDefinitions { bytes in
        guard !bytes.contains(0) else { return .none }
        let code = String(decoding: bytes, as: UTF8.self).withCString { key_defined($0) }
        switch code {
        // The mouse's reports have the same form everywhere, whatever terminfo takes for their beginning. Above the
        // maximum are those that terminfo names itself, focus reports among them.
        case 1..<KEY_MIN, KEY_MOUSE, (KEY_MAX + 1)..., 0: return .none
        case ..<0: return .beginning
        default: return .key(key(code))
        }
    }

    private static func key(_ code: CInt) -> TerminalEvent.Key? {
        switch code {
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        // Where DEC's keyboards have Find and Select, others have Home and End.
        case KEY_HOME, KEY_FIND: .home
        case KEY_END, KEY_SELECT: .end
        case KEY_DC: .delete
        case KEY_PPAGE: .pageUp
        case KEY_NPAGE: .pageDown
        case KEY_BTAB: .backTab
        case KEY_ENTER: .enter
        default: nil
        }
    }
}
