import CNcurses

/// Turns the bytes that a terminal sends into events.
///
/// `InputScanner` cuts them into pieces; this type gives each its meaning.
struct InputDecoder {
    private var scanner: InputScanner
    private var mouse = MouseButton()
    /// Whether the terminal has answered that it reports releases.
    private var tellsReleases = false
    /// The name and version that the terminal has reported, until the caller takes it.
    var version: String?

    /// A decoder for a terminal with these keys, in addition to those that are the same everywhere.
    init(keys: KeyDefinitions = .none) { scanner = InputScanner(keys: keys) }

    var wait: InputScanner.Wait? { scanner.wait }

    /// The event that `byte` completes; nil if there is none, or not yet.
    mutating func feed(_ byte: UInt8) -> TerminalEvent? { scanner.feed(byte).flatMap { event($0) } }

    /// The event of the bytes so far if no other follows: a lone Escape is the key.
    mutating func giveUp() -> TerminalEvent? { scanner.giveUp().flatMap { event($0) } }

    mutating func forgetEscape() { scanner.forgetEscape() }

    private mutating func event(_ token: InputScanner.Token) -> TerminalEvent? {
        switch token {
        case .character("\t"): return .key(.tab)
        case .character("\n"), .character("\r"): return .key(.enter)
        case .character(let character): return .character(character)
        case .escape: return .key(.escape)
        case .key(let key): return key.map(TerminalEvent.key)
        case .control(let bytes): return ControlSequence(bytes).flatMap { meaning(of: $0) }
        case .singleShift(let byte): return Self.meaning(ofSingleShift: byte)
        // Such a report does not say which button went up: 3 stands for any.
        case .mouse(let button, let column, let row):
            let isDown = button & 3 != 3
            return mouse.event(isDown ? button : 0, isDown: isDown, column: column, row: row)
        case .pasted(let text): return .pasted(text)
        case .pasteCutOff: return .pasteCutOff
        case .version(let text):
            version = text
            return nil
        }
    }

    private mutating func meaning(of sequence: ControlSequence) -> TerminalEvent? {
        let marker = sequence.marker.map { Character(Unicode.Scalar($0)) }
        switch (marker, Character(Unicode.Scalar(sequence.final))) {
        case (nil, "I") where sequence.parameters.isEmpty: return .focusGained
        case (nil, "O") where sequence.parameters.isEmpty: return .focusLost
        case ("<", "M"): return mouse.report(sequence, isDown: true)
        case ("<", "m"): return mouse.report(sequence, isDown: false)
        case ("?", "u"):
            tellsReleases = KeyboardProtocol.tellsReleases(flags: sequence.parameter(0, else: 0))
            return nil
        default: return KeyReport(sequence)?.event(tellsReleases: tellsReleases)
        }
    }

    /// DEC's application modes, which another program may have left switched on: the same letters as after CSI, and
    /// the keypad.
    private static func meaning(ofSingleShift byte: UInt8) -> TerminalEvent? {
        switch Character(Unicode.Scalar(byte)) {
        case "M": .key(.enter)
        case "k": .character("+")
        case "m": .character("-")
        case "A", "B", "C", "D", "F", "H":
            ControlSequence([byte]).flatMap { KeyReport($0)?.event(tellsReleases: false) }
        default: nil
        }
    }
}

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
