import CNcurses

/// The keys of this terminal as byte sequences, by terminfo(5).
struct KeyDefinitions: Sendable {
    /// The meaning of the bytes so far.
    enum Match: Hashable {
        /// No key, nor the beginning of one.
        case none
        /// The beginning of one or more keys.
        case beginning
        /// A key; nil for one without a meaning here.
        case key(TerminalEvent.Key?)
    }

    /// Looks up bytes that begin with Escape.
    let match: @Sendable ([UInt8]) -> Match

    /// No keys.
    static let none = KeyDefinitions { _ in .none }

    /// The keys of the terminal that ncurses has opened.
    ///
    /// The corresponding C function is key_defined(3X).
    static let curses = KeyDefinitions { bytes in
        guard !bytes.contains(0) else { return .none }
        let code = String(decoding: bytes, as: UTF8.self).withCString { key_defined($0) }
        switch code {
        // Mouse reports have the same form everywhere, even if terminfo lists their beginning as a key. Codes above
        // the maximum are keys that terminfo names itself, focus reports among them.
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
