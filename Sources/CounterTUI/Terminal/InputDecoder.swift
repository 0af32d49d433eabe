import CNcurses

/// Turns the bytes that a terminal sends into events, however they are split between reads.
///
/// Characters are UTF-8 (RFC 3629). Sequences are those of ECMA-48, 5: introduced by Escape and a letter, or by one
/// control character of the C1 set, as a byte (0x9B) or in UTF-8 (U+009B). Strings (OSC, DCS, APC, PM, SOS) are a
/// terminal's answers to other programs; they are discarded, except for its name and version, which this program may have asked for.
struct InputDecoder {
    /// What the decoder waits for, which decides how long.
    enum Wait: Hashable {
        /// Whether an Escape, or the character behind one, is the key or the beginning of a sequence.
        case escape
        /// The rest of a sequence, a string or a character, or of pasted text that was too long.
        case rest
        case paste
    }

    private enum State {
        case ground
        /// A lone Escape was taken as the key. The rest of a sequence may still follow.
        case taken
        /// Behind such an Escape came a character that begins a sequence; if it remains alone, it was typed.
        case torn(Unicode.Scalar)
        /// `ESC` alone so far.
        case escape
        /// What came of a control sequence after `ESC [`; nil if it was too much, so that it is ignored.
        case control(String?)
        /// `ESC O`; one more character follows.
        case singleShift
        /// The beginning of a key of this terminal that follows no standard.
        case key(String)
        /// A mouse report by `CSI M`: button, column and row, one byte each, 32 above their values.
        case mouse([Int])
        case string(ControlString)
        case pasted(PastedText)
    }

    private static let longestSequence = 64

    private let keys: KeyDefinitions
    private var state = State.ground
    /// The bytes so far of a character in UTF-8 that takes several.
    private var partial: [UInt8] = []
    private var mouse = MouseButton()
    /// Whether the terminal has answered that it reports releases.
    private var tellsReleases = false
    /// The name and version that the terminal has reported, until the caller takes it.
    var version: String?

    /// `keys` are those of the terminal, in addition to those that are the same everywhere.
    init(keys: KeyDefinitions = .none) { self.keys = keys }

    /// What the decoder waits for; nil if nothing is incomplete.
    var wait: Wait? {
        switch state {
        case .ground, .taken: partial.isEmpty ? nil : .rest
        case .pasted(let text): text.isTooLong ? .rest : .paste
        case .escape, .torn: partial.isEmpty ? .escape : .rest
        case .control, .singleShift, .key, .mouse, .string: .rest
        }
    }

    /// The event that `byte` completes; nil if there is none, or not yet.
    mutating func feed(_ byte: UInt8) -> TerminalEvent? {
        if case .mouse(let numbers) = state { return mouse(numbers + [Int(byte) - 32]) }
        return character(byte).flatMap { take($0) }
    }

    /// The event of what has come so far if nothing follows: a lone Escape is the key.
    mutating func giveUp() -> TerminalEvent? {
        defer { partial = [] }
        switch state {
        case .ground, .taken: return nil
        case .pasted(let text):
            state = .ground
            return text.isTooLong ? nil : .pasteCutOff
        case .escape where partial.isEmpty:
            state = .taken
            return .key(.escape)
        case .torn(let character) where partial.isEmpty:
            state = .ground
            return .character(Character(character))
        case .escape, .torn, .control, .singleShift, .key, .mouse, .string:
            state = .ground
            return nil
        }
    }

    mutating func forgetEscape() { if case .taken = state { state = .ground } }

    // MARK: - Characters

    /// The character that a byte completes. A byte of the C1 set that is part of no other character is one itself.
    private mutating func character(_ byte: UInt8) -> Unicode.Scalar? {
        if let first = partial.first {
            if 0x80...0xBF ~= byte {
                partial.append(byte)
                guard partial.count == (first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4) else { return nil }
                let text = String(validating: partial, as: UTF8.self)
                if text == nil { breakOff() }
                partial = []
                return text?.unicodeScalars.first
            }
            breakOff()
        }
        if byte < 0xA0 { return Unicode.Scalar(byte) }
        if 0xC2...0xF4 ~= byte { partial = [byte] } else { breakOff() }
        return nil
    }

    /// What is no character ends also what Escape began with it.
    private mutating func breakOff() {
        partial = []
        if case .escape = state { state = .ground }
    }

    private mutating func take(_ character: Unicode.Scalar) -> TerminalEvent? {
        switch state {
        case .ground: return start(character)
        case .taken: return afterKey(character)
        case .torn(let first):
            _ = afterEscape(first)
            return take(character)
        case .escape: return afterEscape(character)
        case .control(let text): return control(text, character)
        case .singleShift: return singleShift(character)
        case .key(let text): return key(text + String(character))
        // Its bytes are no characters.
        case .mouse: return nil
        case .string(var string):
            let isWhole = string.ends(with: character)
            state = isWhole ? .ground : .string(string)
            if isWhole, let version = string.version { self.version = version }
            return nil
        case .pasted(let text): return pasted(text, character)
        }
    }

    private mutating func start(_ character: Unicode.Scalar) -> TerminalEvent? {
        state = .ground
        switch character {
        case "\u{1B}": state = .escape
        case "\t": return .key(.tab)
        case "\n", "\r": return .key(.enter)
        case _ where character.isC1: introduce(character)
        default: return .character(Character(character))
        }
        return nil
    }

    private mutating func pasted(_ before: PastedText, _ character: Unicode.Scalar) -> TerminalEvent? {
        var text = before
        text.take(character)
        state = text.isEnded ? .ground : .pasted(text)
        if text.isTooLong { return before.isTooLong ? nil : .pasteCutOff }
        return text.isEnded && !text.text.isEmpty ? .pasted(text.text) : nil
    }

    // MARK: - Sequences

    /// Begins what a control character of the C1 set introduces; the others are ignored.
    private mutating func introduce(_ control: Unicode.Scalar) {
        state =
            switch control {
            case "\u{8F}": .singleShift
            case "\u{9B}": .control("")
            case "\u{90}", "\u{98}", "\u{9D}", "\u{9E}", "\u{9F}":
                .string(ControlString(isCommand: control == "\u{9D}"))
            default: .ground
            }
    }

    /// A character after Escape begins a sequence, is part of a key of this terminal, or was typed with Alt, which is
    /// ignored.
    private mutating func afterEscape(_ character: Unicode.Scalar) -> TerminalEvent? {
        if character.begins { return start(character) }
        let text = "\u{1B}" + String(character)
        if case .key(let key) = keys.match(text) {
            state = .ground
            return key.map(TerminalEvent.key)
        }
        // The 7-bit form of a C1 character (ECMA-48, 5.2).
        guard "@"..."_" ~= character, let control = Unicode.Scalar(character.value + 0x40) else {
            return key(text)
        }
        introduce(control)
        return nil
    }

    /// After an Escape that was taken as the key, only these characters may begin a sequence.
    private mutating func afterKey(_ character: Unicode.Scalar) -> TerminalEvent? {
        guard ["[", "]", "P", "X", "^", "_"].contains(character) else { return start(character) }
        state = .torn(character)
        return nil
    }

    private mutating func control(_ text: String?, _ character: Unicode.Scalar) -> TerminalEvent? {
        switch character {
        // Another sequence begins, so this one was cut off.
        case _ where character.begins: return start(character)
        case "\u{18}", "\u{1A}": state = .ground
        case " "..."?":
            let isTooLong = text.map { $0.utf8.count >= Self.longestSequence } ?? true
            state = .control(isTooLong ? nil : (text ?? "") + String(character))
        case "@"..."~":
            state = .ground
            return text.flatMap { whole($0 + String(character)) }
        default: break
        }
        return nil
    }

    private mutating func whole(_ text: String) -> TerminalEvent? {
        let sequence = "\u{1B}[" + text
        switch keys.match(sequence) {
        case .key(let key): return key.map(TerminalEvent.key)
        case .beginning where text == "[":
            // The function keys of the Linux console: `ESC [ [ A`.
            state = .key(sequence)
            return nil
        case .beginning, .none: break
        }
        switch text {
        case "M": state = .mouse([])
        case "200~": state = .pasted(PastedText())
        default: return ControlSequence(text).flatMap { meaning(of: $0) }
        }
        return nil
    }

    private mutating func singleShift(_ character: Unicode.Scalar) -> TerminalEvent? {
        if character == "\u{1B}" || !character.isASCII { return start(character) }
        state = .ground
        switch keys.match("\u{1B}O" + String(character)) {
        case .key(let key): return key.map(TerminalEvent.key)
        case .beginning, .none: return Self.meaning(ofSingleShift: character)
        }
    }

    private mutating func key(_ text: String) -> TerminalEvent? {
        if let last = text.unicodeScalars.last, last.begins { return start(last) }
        switch keys.match(text) {
        case .beginning where text.utf8.count < Self.longestSequence: state = .key(text)
        case .beginning, .none: state = .ground
        case .key(let key):
            state = .ground
            return key.map(TerminalEvent.key)
        }
        return nil
    }

    private mutating func mouse(_ numbers: [Int]) -> TerminalEvent? {
        state = numbers.count < 3 ? .mouse(numbers) : .ground
        guard numbers.count == 3 else { return nil }
        // Such a report does not say which button went up: 3 stands for any.
        let isDown = numbers[0] & 3 != 3
        return mouse.event(isDown ? numbers[0] : 0, isDown: isDown, column: numbers[1], row: numbers[2])
    }

    // MARK: - Meanings

    private mutating func meaning(of sequence: ControlSequence) -> TerminalEvent? {
        switch (sequence.marker, sequence.final) {
        case (nil, "I") where sequence.parameters.isEmpty: return .focusGained
        case (nil, "O") where sequence.parameters.isEmpty: return .focusLost
        case ("<", "M"): return mouse.report(sequence, isDown: true)
        case ("<", "m"): return mouse.report(sequence, isDown: false)
        case ("?", "u"):
            tellsReleases = sequence.parameter(0, else: 0) & KeyboardProtocol.releases != 0
            return nil
        default: return KeyReport(sequence)?.event(tellsReleases: tellsReleases)
        }
    }

    /// DEC's application modes, which another program may have left switched on: the same letters as after CSI, and
    /// the keypad.
    private static func meaning(ofSingleShift character: Unicode.Scalar) -> TerminalEvent? {
        switch character {
        case "M": .key(.enter)
        case "k": .character("+")
        case "m": .character("-")
        case "A", "B", "C", "D", "F", "H":
            ControlSequence(String(character)).flatMap { KeyReport($0)?.event(tellsReleases: false) }
        default: nil
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isC1: Bool { 0x80..<0xA0 ~= value }

    /// Whether a sequence begins with it.
    fileprivate var begins: Bool { self == "\u{1B}" || isC1 }
}

/// The keys of this terminal as sequences, by terminfo(5).
struct KeyDefinitions: Sendable {
    /// The meaning of a sequence so far.
    enum Match: Hashable {
        /// No key, nor the beginning of one.
        case none
        /// The beginning of one or more keys.
        case beginning
        /// A key; nil for one without a meaning here.
        case key(TerminalEvent.Key?)
    }

    /// Looks up what begins with Escape.
    let match: @Sendable (String) -> Match

    static let none = KeyDefinitions { _ in .none }

    /// The keys of the terminal that ncurses has opened.
    ///
    /// The corresponding C function is key_defined(3X).
    static let curses = KeyDefinitions { sequence in
        guard !sequence.utf8.contains(0) else { return .none }
        let code = key_defined(sequence)
        switch code {
        // Mouse reports have the same form everywhere, even if terminfo lists their beginning as a key. Codes above
        // the maximum are keys that terminfo names itself, focus reports among them.
        case 1..<KEY_MIN, KEY_MOUSE, (KEY_MAX + 1)..., 0: return .none
        case ..<0: return .beginning
        default: return .key(keys[code])
        }
    }

    /// Where DEC's keyboards have Find and Select, others have Home and End.
    private static let keys: [CInt: TerminalEvent.Key] = [
        KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right, KEY_HOME: .home, KEY_FIND: .home,
        KEY_END: .end, KEY_SELECT: .end, KEY_DC: .delete, KEY_PPAGE: .pageUp, KEY_NPAGE: .pageDown,
        KEY_BTAB: .backTab, KEY_ENTER: .enter,
    ]
}
