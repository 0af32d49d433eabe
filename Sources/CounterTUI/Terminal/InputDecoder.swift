/// Turns the bytes that a terminal sends into events.
///
/// It keeps what has come in part: a character in UTF-8 or a control sequence may arrive in two readings.
struct InputDecoder {
    private enum State {
        case ground
        case character(PartialCharacter)
        /// `ESC`, and nothing yet that would make it more than the key.
        case escape
        /// The bytes of a control sequence after `ESC [`, up to the last.
        case sequence(bytes: [UInt8])
        /// `ESC O`: one more byte belongs to it.
        case singleShift
        /// `CSI M`: button, column and row follow as one byte each, 32 above their value. What terminals without SGR
        /// reports send.
        case oldMouse(bytes: [Int])
        /// Pasted text, of which so much of `ESC [ 2 0 1 ~`, its end, has come, or a part of a character.
        case pasted(matched: Int, PartialCharacter?)
    }

    private static let longestSequence = 64
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    private var state = State.ground
    private var mouse = MouseButton()
    /// The terminal has said that it tells when a key goes up.
    private var tellsReleases = false

    /// Whether an Escape has come, and nothing yet that tells the key from the beginning of a sequence.
    var hasEscape: Bool {
        if case .escape = state { true } else { false }
    }

    /// The event that `byte` completes; nil where there is none, or not yet.
    mutating func feed(_ byte: UInt8) -> TerminalEvent? {
        switch state {
        case .ground: return start(byte)
        case .character(let partial): return character(partial, byte)
        case .escape: afterEscape(byte)
        case .sequence(let bytes): return sequence(bytes, byte)
        case .singleShift: return singleShift(byte)
        case .oldMouse(let bytes): return oldMouse(bytes + [Int(byte) - 32])
        case .pasted(let matched, let partial): return pasted(matched, partial, byte)
        }
        return nil
    }

    /// What the bytes so far amount to where none follows: a lone Escape is the key.
    mutating func finish() -> TerminalEvent? {
        guard hasEscape else { return nil }
        state = .ground
        return .key(.escape)
    }

    private mutating func start(_ byte: UInt8) -> TerminalEvent? {
        switch byte {
        case 0x09: return .key(.tab)
        case 0x0A, 0x0D: return .key(.enter)
        case 0x1B: state = .escape
        case 0..<0x80: return .character(Character(Unicode.Scalar(byte)))
        default: state = PartialCharacter(byte).map(State.character) ?? .ground
        }
        return nil
    }

    private mutating func character(_ partial: PartialCharacter, _ byte: UInt8) -> TerminalEvent? {
        state = .ground
        var partial = partial
        guard partial.append(byte) else { return start(byte) }
        guard !partial.isWhole else { return partial.character.map(TerminalEvent.character) }
        state = .character(partial)
        return nil
    }

    /// A byte right behind Escape begins a sequence, or was typed with Alt, which means nothing here.
    private mutating func afterEscape(_ byte: UInt8) {
        switch byte {
        case 0x5B: state = .sequence(bytes: [])
        case 0x4F: state = .singleShift
        case 0x1B: state = .escape
        default: state = .ground
        }
    }

    /// Arrows and keypad of a terminal that another program has left in its application mode.
    private mutating func singleShift(_ byte: UInt8) -> TerminalEvent? {
        state = .ground
        switch Character(Unicode.Scalar(byte)) {
        case "A": return .key(.up)
        case "B": return .key(.down)
        case "C": return .key(.right)
        case "D": return .key(.left)
        case "H": return .key(.home)
        case "F": return .key(.end)
        case "M": return .key(.enter)
        case "k": return .character("+")
        case "m": return .character("-")
        default: return nil
        }
    }

    /// Nothing that is pasted is a command. What begins as its end does and is another control sequence is no text.
    private mutating func pasted(
        _ matched: Int, _ partial: PartialCharacter?, _ byte: UInt8
    ) -> TerminalEvent? {
        let isNext = byte == Self.pasteEnd[matched]
        let new = isNext ? matched + 1 : (byte == 0x1B ? 1 : 0)
        state = new == Self.pasteEnd.count ? .ground : .pasted(matched: new, nil)
        guard new == 0 else { return nil }
        if var partial, partial.append(byte) {
            guard !partial.isWhole else { return partial.character.map(TerminalEvent.pasted) }
            state = .pasted(matched: 0, partial)
            return nil
        }
        state = .pasted(matched: 0, PartialCharacter(byte))
        return byte < 0x80 ? .pasted(Character(Unicode.Scalar(byte))) : nil
    }
}

// MARK: - Control sequences

extension InputDecoder {
    private mutating func sequence(_ bytes: [UInt8], _ byte: UInt8) -> TerminalEvent? {
        state = .ground
        // Another key can only come where this sequence was broken off.
        if byte == 0x1B { return start(byte) }
        guard (0x20..<0x7F).contains(byte), bytes.count < Self.longestSequence else { return nil }
        let all = bytes + [byte]
        guard byte >= 0x40 else {
            state = .sequence(bytes: all)
            return nil
        }
        return ControlSequence(all).flatMap { meaning(of: $0) }
    }

    private mutating func meaning(of sequence: ControlSequence) -> TerminalEvent? {
        let marker = sequence.marker.map { Character(Unicode.Scalar($0)) }
        switch (marker, Character(Unicode.Scalar(sequence.final))) {
        case (nil, "I") where sequence.parameters.isEmpty: return .focusGained
        case (nil, "O") where sequence.parameters.isEmpty: return .focusLost
        case (nil, "M") where sequence.parameters.isEmpty: state = .oldMouse(bytes: [])
        case ("<", "M"): return mouse.report(sequence, isDown: true)
        case ("<", "m"): return mouse.report(sequence, isDown: false)
        case ("?", "u"): tellsReleases = KeyboardProtocol.tellsReleases(flags: sequence.parameter(0, else: 0))
        case (nil, "~") where sequence.parameter(0, else: 0) == 200: state = .pasted(matched: 0, nil)
        default: return KeyReport(sequence)?.event(tellsReleases: tellsReleases)
        }
        return nil
    }

    private mutating func oldMouse(_ bytes: [Int]) -> TerminalEvent? {
        guard bytes.count == 3 else {
            state = .oldMouse(bytes: bytes)
            return nil
        }
        state = .ground
        // Such a report does not tell which button went up: 3 stands for any.
        let isDown = bytes[0] & 3 != 3
        return mouse.event(isDown ? bytes[0] : 0, isDown: isDown, column: bytes[1], row: bytes[2])
    }
}
