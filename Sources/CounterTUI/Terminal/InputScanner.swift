/// Cuts the bytes that a terminal sends into whole characters and sequences, however they are split between reads.
///
/// Characters are UTF-8 (RFC 3629). Sequences are those of ECMA-48, 5: introduced by Escape and a letter, or by one
/// control character of the C1 set, as a byte (0x9B) or in UTF-8 (U+009B). Strings (OSC, DCS, APC, PM, SOS) are a
/// terminal's answers to other programs; they are discarded, except for its name and version, which this program may have asked for.
struct InputScanner {
    /// A complete piece.
    enum Token: Hashable {
        /// A character, control characters included.
        case character(Character)
        case escape
        /// A key of this terminal by terminfo; nil for one without a meaning here.
        case key(TerminalEvent.Key?)
        /// A control sequence: all bytes after `ESC [`.
        case control([UInt8])
        /// `ESC O` and this byte.
        case singleShift(UInt8)
        /// A mouse report by `CSI M`: button, column and row, one byte each, 32 above their values.
        case mouse(button: Int, column: Int, row: Int)
        /// Pasted text, as far as it was kept.
        case pasted(String)
        /// Pasted text whose end did not come; it is thrown away.
        case pasteCutOff
        /// The terminal's name and version.
        case version(String)
    }

    /// What the scanner waits for, which decides how long.
    enum Wait: Hashable {
        /// Whether an Escape, or the byte behind one, is the key or the beginning of a sequence.
        case escape
        /// The rest of a sequence, a string or a character, or of pasted text that was too long.
        case rest
        case paste
    }

    enum State {
        case ground
        /// A lone Escape was taken as the key. The rest of a sequence may still follow.
        case taken
        /// Behind such an Escape came a byte that begins a sequence; if it remains alone, it was typed.
        case torn(UInt8)
        case character(PartialCharacter)
        /// `ESC` alone so far.
        case escape
        /// The bytes of a control sequence after `ESC [`; nil if there were too many, so that it is ignored.
        case control([UInt8]?)
        /// `ESC O`; one more byte follows.
        case singleShift
        /// The beginning of a key of this terminal that follows no standard.
        case key([UInt8])
        case mouse([Int])
        case string(ControlString)
        case pasted(PastedText)
    }

    private static let longestSequence = 64

    let keys: KeyDefinitions
    var state = State.ground

    init(keys: KeyDefinitions) { self.keys = keys }

    /// What the scanner waits for; nil if nothing is incomplete.
    var wait: Wait? {
        switch state {
        case .ground, .taken: nil
        case .pasted(let text): text.isTooLong ? .rest : .paste
        case .escape, .torn: .escape
        case .character, .control, .singleShift, .key, .mouse, .string: .rest
        }
    }

    /// Takes the next byte; returns the piece that it completes.
    mutating func feed(_ byte: UInt8) -> Token? {
        switch state {
        case .ground: return start(byte)
        case .taken: return afterKey(byte)
        case .torn(let first):
            _ = afterEscape(first)
            return feed(byte)
        case .character(let partial): return character(partial, byte)
        case .escape: return afterEscape(byte)
        case .control(let bytes): return control(bytes, byte)
        case .singleShift: return singleShift(byte)
        case .key(let bytes): return key(bytes + [byte])
        case .mouse(let bytes): return mouse(bytes + [Int(byte) - 32])
        case .string(var string):
            let isWhole = string.ends(with: byte)
            state = isWhole ? .ground : .string(string)
            return isWhole ? string.version.map(Token.version) : nil
        case .pasted(let text): return pasted(text, byte)
        }
    }

    private mutating func pasted(_ before: PastedText, _ byte: UInt8) -> Token? {
        var text = before
        text.feed(byte)
        state = text.isEnded ? .ground : .pasted(text)
        if text.isTooLong { return before.isTooLong ? nil : .pasteCutOff }
        return text.isEnded && !text.text.isEmpty ? .pasted(text.text) : nil
    }

    mutating func giveUp() -> Token? {
        switch state {
        case .ground, .taken: return nil
        case .pasted(let text):
            state = .ground
            return text.isTooLong ? nil : .pasteCutOff
        case .escape:
            state = .taken
            return .escape
        case .torn(let byte):
            state = .ground
            return .character(Character(Unicode.Scalar(byte)))
        case .character, .control, .singleShift, .key, .mouse, .string:
            state = .ground
            return nil
        }
    }

    mutating func forgetEscape() { if case .taken = state { state = .ground } }

    // MARK: - Characters

    private mutating func start(_ byte: UInt8) -> Token? {
        state = .ground
        switch byte {
        case 0x1B: state = .escape
        case ..<0x80: return .character(Character(Unicode.Scalar(byte)))
        case 0x80..<0xA0: introduce(byte)
        default: state = PartialCharacter(byte).map(State.character) ?? .ground
        }
        return nil
    }

    private mutating func character(_ partial: PartialCharacter, _ byte: UInt8) -> Token? {
        var partial = partial
        guard partial.append(byte) else { return start(byte) }
        state = partial.isWhole ? .ground : .character(partial)
        guard partial.isWhole, let character = partial.character else { return nil }
        if let control = character.c1 {
            introduce(control)
            return nil
        }
        return .character(character)
    }

    // MARK: - Sequences

    /// Begins what a control character of the C1 set introduces; the others are ignored.
    private mutating func introduce(_ control: UInt8) {
        switch control {
        case 0x8F: state = .singleShift
        case 0x9B: state = .control([])
        case 0x90, 0x98, 0x9D, 0x9E, 0x9F: state = .string(ControlString(isCommand: control == 0x9D))
        default: state = .ground
        }
    }

    /// A byte after Escape begins a sequence, is part of a key of this terminal, or was typed with Alt, which is
    /// ignored.
    private mutating func afterEscape(_ byte: UInt8) -> Token? {
        if byte == 0x1B { return nil }
        if case .key(let key) = keys.match([0x1B, byte]) {
            state = .ground
            return .key(key)
        }
        // The 7-bit form of a C1 character (ECMA-48, 5.2).
        guard (0x40..<0x60).contains(byte) else { return key([0x1B, byte]) }
        introduce(byte + 0x40)
        return nil
    }

    /// After an Escape that was taken as the key, only these bytes may begin a sequence.
    private mutating func afterKey(_ byte: UInt8) -> Token? {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
            UInt8(ascii: "_"):
            state = .torn(byte)
            return nil
        default: return start(byte)
        }
    }

    private mutating func control(_ bytes: [UInt8]?, _ byte: UInt8) -> Token? {
        switch byte {
        // Another sequence begins, so this one was cut off.
        case 0x1B, 0x80..<0xA0: return start(byte)
        case 0x18, 0x1A: state = .ground
        case 0x20..<0x40:
            let isTooLong = bytes.map { $0.count >= Self.longestSequence } ?? true
            state = .control(isTooLong ? nil : (bytes ?? []) + [byte])
        case 0x40..<0x7F:
            state = .ground
            return bytes.flatMap { whole($0 + [byte]) }
        default: break
        }
        return nil
    }

    private mutating func whole(_ bytes: [UInt8]) -> Token? {
        switch keys.match([0x1B, 0x5B] + bytes) {
        case .key(let key): return .key(key)
        case .beginning where bytes == [0x5B]:
            // The function keys of the Linux console: `ESC [ [ A`.
            state = .key([0x1B, 0x5B] + bytes)
            return nil
        case .beginning, .none: break
        }
        switch bytes {
        case [UInt8(ascii: "M")]: state = .mouse([])
        case Array("200~".utf8): state = .pasted(PastedText())
        default: return .control(bytes)
        }
        return nil
    }

    private mutating func singleShift(_ byte: UInt8) -> Token? {
        if byte == 0x1B || byte >= 0x80 { return start(byte) }
        state = .ground
        switch keys.match([0x1B, 0x4F, byte]) {
        case .key(let key): return .key(key)
        case .beginning, .none: return .singleShift(byte)
        }
    }

    private mutating func key(_ bytes: [UInt8]) -> Token? {
        if bytes.last == 0x1B { return start(0x1B) }
        switch keys.match(bytes) {
        case .beginning where bytes.count < Self.longestSequence: state = .key(bytes)
        case .beginning, .none: state = .ground
        case .key(let key):
            state = .ground
            return .key(key)
        }
        return nil
    }

    private mutating func mouse(_ bytes: [Int]) -> Token? {
        state = bytes.count < 3 ? .mouse(bytes) : .ground
        return bytes.count < 3 ? nil : .mouse(button: bytes[0], column: bytes[1], row: bytes[2])
    }
}

extension Character {
    /// The control character of the C1 set (0x80 to 0x9F); nil if it is none.
    var c1: UInt8? {
        guard unicodeScalars.count == 1, let value = unicodeScalars.first?.value else { return nil }
        return (0x80..<0xA0).contains(value) ? UInt8(value) : nil
    }
}
