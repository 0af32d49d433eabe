import KeyProtocol

/// A key as a control sequence reports it: `CSI A`, `CSI 5 ~`, or by kitty's keyboard protocol `CSI code ; modifiers
/// : action u` (``KeyboardProtocol``). The older forms may have modifiers and action too.
struct KeyReport {
    enum Action {
        case press, `repeat`, release
    }

    /// Bits of the modifiers; Caps Lock and Num Lock (64 and 128) are ignored.
    private enum Modifier {
        static let shift = 1
        static let control = 4
        static let locks = 64 | 128
    }

    let action: Action
    private let modifiers: Int
    private let code: Code

    private enum Code {
        case key(TerminalEvent.Key)
        case volume(CountedKey)
        /// A key with a character, and the characters that it has with Shift and on a Latin layout.
        case character(Int, shifted: Int, latin: Int)
    }

    /// Parses a control sequence; nil if it reports no key with a meaning here.
    init?(_ sequence: ControlSequence) {
        guard sequence.marker == nil, let code = Self.code(sequence) else { return nil }
        self.code = code
        modifiers = max(0, sequence.parameter(1, else: 1) - 1) & ~Modifier.locks
        switch sequence.parameter(1, 1, else: 1) {
        case 1: action = .press
        case 2: action = .repeat
        case 3: action = .release
        default: return nil
        }
    }

    /// The event of the report; nil if it has no meaning here. Where the terminal does not tell every release, a press ends
    /// at once.
    func event(tellsReleases: Bool) -> TerminalEvent? {
        switch (code, action) {
        case (.volume(let key), .press):
            .volumeKey((tellsReleases ? [true] : [true, false]).map { KeyChange(key, isDown: $0) })
        case (.volume(let key), .release): .volumeKey([KeyChange(key, isDown: false)])
        case (.volume, .repeat), (.key, .release), (.character, .release): nil
        case (.key(let key), .press), (.key(let key), .repeat): event(key)
        case (.character(let own, let shifted, let latin), .press),
            (.character(let own, let shifted, let latin), .repeat):
            character(own, shifted, latin).map(TerminalEvent.character)
        }
    }

    private func event(_ key: TerminalEvent.Key) -> TerminalEvent? {
        switch modifiers {
        case 0: .key(key)
        case Modifier.shift where key == .tab: .key(.backTab)
        default: nil
        }
    }

    // Ctrl makes control characters of letters, as on every keyboard.
    private func character(_ own: Int, _ shifted: Int, _ latin: Int) -> Character? {
        let scalar: Int? =
            switch modifiers {
            case 0: own
            case Modifier.shift: shifted
            case Modifier.control: (0x40..<0x7F).contains(latin) ? latin & 0x1F : nil
            default: nil
            }
        return scalar.flatMap(UInt32.init(exactly:)).flatMap(Unicode.Scalar.init).map(Character.init)
    }

    // MARK: - Tables

    /// By the final character, for a sequence whose first number is 1 or left out.
    private static let letters: [Character: TerminalEvent.Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
    ]

    /// By the first number, for a sequence that ends in `~`.
    private static let numbers: [Int: TerminalEvent.Key] = [
        1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    ]

    /// "Functional key definitions", by the first number of a sequence that ends in `u`; the keypad's are keys of their own there.
    private static let functional: [Int: TerminalEvent.Key] = [
        9: .tab, 13: .enter, 27: .escape, 57414: .enter, 57417: .left, 57418: .right, 57419: .up,
        57420: .down, 57421: .pageUp, 57422: .pageDown, 57423: .home, 57424: .end, 57426: .delete,
    ]

    private static func code(_ sequence: ControlSequence) -> Code? {
        let number = sequence.parameter(0, else: 1)
        switch sequence.final {
        case "u": return functional[number].map(Code.key) ?? code(number, sequence)
        case "~": return numbers[number].map(Code.key)
        case let letter: return number == 1 ? letters[letter].map(Code.key) : nil
        }
    }

    private static func code(_ number: Int, _ sequence: ControlSequence) -> Code? {
        switch number {
        case 57399...57408: keypad(0x30 + number - 57399)
        case 57409: keypad(0x2E)
        case 57412: keypad(0x2D)
        case 57413: keypad(0x2B)
        case 57415: keypad(0x3D)
        case 57438: .volume(.down)
        case 57439: .volume(.up)
        case 0x20...0x7F, 0xA0..<0xE000:
            .character(
                number, shifted: sequence.parameter(0, 1, else: number),
                latin: sequence.parameter(0, 2, else: number))
        default: nil
        }
    }

    private static func keypad(_ character: Int) -> Code {
        .character(character, shifted: character, latin: character)
    }
}

/// Turns reports of the left mouse button and of the wheel into clicks and scrolling.
struct MouseButton {
    /// The bits of Shift, Alt and Ctrl, which are ignored.
    private static let modifiers = 4 | 8 | 16

    private var isDown = false

    /// A report by SGR 1006, `CSI < button ; column ; row M` (down) or `m` (up).
    mutating func report(_ sequence: ControlSequence, isDown: Bool) -> TerminalEvent? {
        guard sequence.parameters.count == 3 else { return nil }
        let numbers = (0..<3).map { sequence.parameter($0, else: -1) }
        return event(numbers[0], isDown: isDown, column: numbers[1], row: numbers[2])
    }

    /// The event of a button or of the wheel. `button` is its number and bits: 0 is the left button, 64 and 65 are the wheel;
    /// movement (32) is ignored. `column` and `row` are from 1.
    mutating func event(_ button: Int, isDown: Bool, column: Int, row: Int) -> TerminalEvent? {
        guard button >= 0 else { return nil }
        switch button & ~Self.modifiers {
        case 0: return click(isDown: isDown, column: column, row: row)
        case 64: return isDown ? .scroll(-1) : nil
        case 65: return isDown ? .scroll(1) : nil
        default: return nil
        }
    }

    // The press is the click; a release counts only where no press was reported.
    private mutating func click(isDown: Bool, column: Int, row: Int) -> TerminalEvent? {
        let isNew = isDown || !self.isDown
        self.isDown = isDown
        guard isNew, column > 0, row > 0 else { return nil }
        return .click(Point(column: column - 1, row: row - 1))
    }
}

/// A control sequence of ECMA-48, 5.4, without the `ESC [` that begins it: `<0;5;6M`, `57439;1:3u`.
struct ControlSequence {
    /// `<`, `=`, `>` or `?`, which mark a private sequence; nil if there is none.
    let marker: Character?
    /// The numbers between the semicolons, each with its subparameters between colons; nil for one that is left out.
    let parameters: [[Int?]]
    /// The last character, which gives the sequence its meaning.
    let final: Character

    /// Parses what comes after `ESC [`; nil if it is no such sequence.
    init?(_ text: String) {
        guard let final = text.last else { return nil }
        self.final = final
        marker = text.first.flatMap { "<=>?".contains($0) ? $0 : nil }
        let numbers = text.dropLast().dropFirst(marker == nil ? 0 : 1)
        var parameters: [[Int?]] = []
        for parameter in numbers.isEmpty ? [] : Self.split(numbers, at: ";") {
            var parts: [Int?] = []
            for digits in Self.split(parameter, at: ":") {
                let number = UInt32(digits).map(Int.init)
                guard digits.isEmpty || number != nil && digits.first != "+" else { return nil }
                parts.append(number)
            }
            parameters.append(parts)
        }
        self.parameters = parameters
    }

    /// A parameter or one of its subparameters, both counted from 0; `fallback` if it is left out.
    func parameter(_ index: Int, _ part: Int = 0, else fallback: Int) -> Int {
        guard index < parameters.count, part < parameters[index].count else { return fallback }
        return parameters[index][part] ?? fallback
    }

    private static func split(_ text: Substring, at separator: Character) -> [Substring] {
        text.split(separator: separator, omittingEmptySubsequences: false)
    }
}
