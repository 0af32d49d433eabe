internal import CNcurses

/// Turns what wgetch(3) returns (bytes, and codes for key sequences) into events.
///
/// It keeps what has come in part: a character in UTF-8 or a mouse report may arrive in two readings.
struct InputDecoder {
    /// Sequences that ncurses recognises for us; the codes lie above its own (`KEY_MAX`).
    enum Code {
        static let focusGained: CInt = 0x1001
        static let focusLost: CInt = 0x1002
        static let mouse: CInt = 0x1003
        static let oldMouse: CInt = 0x1004

        static let sequences: [(String, CInt)] = [
            ("\u{1B}[I", focusGained), ("\u{1B}[O", focusLost), ("\u{1B}[<", mouse), ("\u{1B}[M", oldMouse),
        ]
    }

    private enum State {
        case ground
        case character(bytes: [UInt8], missing: Int)
        /// `CSI < button ; column ; row M` (pressed) or `m` (released), after the `<`.
        case mouse(numbers: [Int])
        /// Button, column and row as one byte each, 32 above their value: what terminals without SGR reports send.
        case oldMouse(bytes: [Int])
        /// `ESC`, and nothing yet that would make it more than the key.
        case escape
        /// A control sequence that ncurses does not know: its bytes after `CSI`, up to the last.
        case sequence(bytes: [UInt8])
        /// `ESC O`: one more byte belongs to it.
        case singleShift
        /// Pasted text, of which so much of `ESC [ 2 0 1 ~`, its end, has come.
        case pasted(matched: Int)
    }

    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    private var state = State.ground
    private var isPressed = false

    /// The event that `code` completes; nil where there is none, or not yet.
    mutating func feed(_ code: CInt) -> TerminalEvent? {
        switch state {
        case .ground: return start(code)
        case .character(let bytes, let missing): return character(bytes, missing, code)
        case .mouse(let numbers): return mouse(numbers, code)
        case .oldMouse(let bytes): return oldMouse(bytes, code)
        case .escape: afterEscape(code)
        case .sequence(let bytes): sequence(bytes, code)
        case .singleShift: state = .ground
        case .pasted(let matched): pasted(matched, code)
        }
        return nil
    }

    /// What the codes so far amount to where none follows: a lone Escape is the key.
    mutating func finish() -> TerminalEvent? {
        guard case .escape = state else { return nil }
        state = .ground
        return .key(.escape)
    }

    /// A byte right behind Escape begins a sequence, or was typed with Alt, which means nothing here.
    private mutating func afterEscape(_ code: CInt) {
        switch code {
        case 0x5B: state = .sequence(bytes: [])
        case 0x4F: state = .singleShift
        case 0x1B: state = .escape
        default: state = .ground
        }
    }

    private mutating func sequence(_ bytes: [UInt8], _ code: CInt) {
        guard (0x20..<0x7F).contains(code), bytes.count < 64 else { return state = .ground }
        let all = bytes + [UInt8(code)]
        // Bytes from 0x40 on end a sequence (ECMA-48, 5.4).
        guard code >= 0x40 else { return state = .sequence(bytes: all) }
        state = all == Array("200~".utf8) ? .pasted(matched: 0) : .ground
    }

    /// Nothing that is pasted is a command.
    private mutating func pasted(_ matched: Int, _ code: CInt) {
        let isNext = code == CInt(Self.pasteEnd[matched])
        let new = isNext ? matched + 1 : (code == 0x1B ? 1 : 0)
        state = new == Self.pasteEnd.count ? .ground : .pasted(matched: new)
    }

    private mutating func start(_ code: CInt) -> TerminalEvent? {
        switch code {
        case Code.focusGained: return .focusGained
        case Code.focusLost: return .focusLost
        case Code.mouse: state = .mouse(numbers: [0])
        case Code.oldMouse: state = .oldMouse(bytes: [])
        case 0x1B: state = .escape
        case 0..<0x80: return Self.ascii(UInt8(code))
        case 0xC2...0xF4:
            state = .character(bytes: [UInt8(code)], missing: code < 0xE0 ? 1 : code < 0xF0 ? 2 : 3)
        default: return Self.key(code).map(TerminalEvent.key)
        }
        return nil
    }

    private static func ascii(_ byte: UInt8) -> TerminalEvent {
        switch byte {
        case 0x09: .key(.tab)
        case 0x0A, 0x0D: .key(.enter)
        default: .character(Character(Unicode.Scalar(byte)))
        }
    }

    private static func key(_ code: CInt) -> TerminalEvent.Key? {
        switch code {
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        case KEY_PPAGE: .pageUp
        case KEY_NPAGE: .pageDown
        case KEY_BTAB: .backTab
        case KEY_ENTER: .enter
        default: nil
        }
    }

    private mutating func character(_ bytes: [UInt8], _ missing: Int, _ code: CInt) -> TerminalEvent? {
        state = .ground
        guard (0x80...0xBF).contains(code) else { return start(code) }
        let all = bytes + [UInt8(code)]
        guard missing == 1 else {
            state = .character(bytes: all, missing: missing - 1)
            return nil
        }
        return String(validating: all, as: UTF8.self)?.first.map(TerminalEvent.character)
    }

    private mutating func mouse(_ numbers: [Int], _ code: CInt) -> TerminalEvent? {
        state = .ground
        guard (0..<0x80).contains(code) else { return start(code) }
        switch Character(Unicode.Scalar(UInt8(code))) {
        case ";" where numbers.count < 3:
            state = .mouse(numbers: numbers + [0])
            return nil
        case "0"..."9" where numbers[numbers.count - 1] < 100_000:
            let last = numbers[numbers.count - 1] * 10 + Int(code) - 0x30
            state = .mouse(numbers: numbers.dropLast() + [last])
            return nil
        case "M", "m":
            guard numbers.count == 3 else { return nil }
            return click(button: numbers[0], isDown: code == 0x4D, column: numbers[1], row: numbers[2])
        default: return nil
        }
    }

    private mutating func oldMouse(_ bytes: [Int], _ code: CInt) -> TerminalEvent? {
        state = .ground
        guard (0...0xFF).contains(code) else { return start(code) }
        let all = bytes + [Int(code) - 32]
        guard all.count == 3 else {
            state = .oldMouse(bytes: all)
            return nil
        }
        // Such a report does not tell which button went up: 3 stands for any.
        let isDown = all[0] & 3 != 3
        return click(button: isDown ? all[0] : 0, isDown: isDown, column: all[1], row: all[2])
    }

    // The press is the click; a release counts only where no press was reported. Shift, Alt and Ctrl (4, 8, 16) do not
    // matter; movement (32) and the wheel (64) are no clicks.
    private mutating func click(button: Int, isDown: Bool, column: Int, row: Int) -> TerminalEvent? {
        guard button & ~(4 | 8 | 16) == 0 else { return nil }
        let isNew = isDown || !isPressed
        isPressed = isDown
        guard isNew, column > 0, row > 0 else { return nil }
        return .click(Point(column: column - 1, row: row - 1))
    }
}
