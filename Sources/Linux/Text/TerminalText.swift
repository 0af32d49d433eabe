// A device chooses its own name. Text on the screen may contain no control characters, which the terminal would
// execute, and no characters whose width differs between terminals.

extension String {
    /// The text with `?` for each control character (general category Cc) except line feeds; safe to print.
    package var printable: String {
        // In UTF-8 a control character is a single byte below 0x20 or 0x7F, or begins with 0xC2.
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == 0xA || $0 > 0xC2 || 0x80..<0xC2 ~= $0 }) {
            return self
        }
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 && scalar != "\n" || 0x7F...0x9F ~= scalar.value ? "?" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The text as a message quotes it: printable, and with `?` for each character that changes the direction of the text after
    /// it (UAX #9), as a name or an id of another user may have.
    package var quotable: String {
        let scalars = printable.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.value {
            case 0x61C, 0x200E...0x200F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069: "?"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The text sanitised for the terminal: each character unchanged or replaced, so that it can be measured and drawn.
    package var sanitised: String { isPlain ? self : String(compactMap(\.sanitised)) }

    /// The text with spaces behind it, at least `columns` wide. Expects sanitised text.
    package func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - CharacterWidth.columns(self)))
    }

    /// Whether it is printable ASCII only, as most text is: then each byte is one character and one column.
    package var isPlain: Bool { utf8.allSatisfy { 0x20..<0x7F ~= $0 } }
}

extension Character {
    /// A base character with at most three marks, or a flag; `?` where it has no safe form; nil where it is invisible.
    package var sanitised: Character? {
        if isASCII, let byte = asciiValue { return byte >= 0x20 && byte < 0x7F ? self : "?" }
        guard let base = unicodeScalars.first else { return nil }
        switch base.properties.generalCategory {
        case .format: return nil
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .nonspacingMark, .enclosingMark, .spacingMark:
            return "?"
        case .spaceSeparator: return " "
        case _ where CharacterWidth.isFlag(base): return unicodeScalars.count == 2 ? self : "?"
        default: return withFewMarks(base)
        }
    }

    // Joiners, variation selectors and skin tones make emoji whose width differs between terminals: of a family, kitty and tmux
    // draw one in two columns, xterm each member. Only combining marks are kept.
    private func withFewMarks(_ base: Unicode.Scalar) -> Character {
        if unicodeScalars.count == 1 { return self }
        let marks = unicodeScalars.dropFirst().filter {
            $0.properties.generalCategory == .nonspacingMark && !$0.properties.isVariationSelector
        }
        var cluster = String.UnicodeScalarView([base])
        cluster.append(contentsOf: marks.prefix(3))
        return String(cluster).first ?? "?"
    }
}

/// How many columns characters take on a terminal.
///
/// A table of our own instead of wcwidth(3), whose result depends on the locale of the process: drawing must give the
/// same cells in every locale. Where the C library disagrees, the screens show `?` instead.
package enum CharacterWidth {
    /// Whether a character with this base is a flag: two regional indicators (Unicode Technical Standard 51, 1.4.6).
    package static func isFlag(_ base: Unicode.Scalar) -> Bool { 0x1F1E6...0x1F1FF ~= base.value }

    /// 1 or 2. Expects sanitised characters, as `sanitised` returns them.
    package static func columns(_ character: Character) -> Int {
        character.unicodeScalars.first.map(columns) ?? 1
    }

    package static func columns(_ base: Unicode.Scalar) -> Int {
        base.value >= 0x1100 && isWide(base) ? 2 : 1
    }

    package static func columns(_ text: String) -> Int {
        text.isPlain ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        var (low, high) = (0, wide.count)
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(scalar.value)
    }

    // Unicode's EastAsianWidth W and F, ascending; gaps inside ideographic blocks are closed. Also the regional indicators, of
    // which sanitised text has pairs only: terminals draw the flag or its two letters, either in two columns.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
        0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F,
        0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5,
        0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5,
        0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728,
        0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
        0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x16FE4, 0x17000...0x18D08, 0x1AFF0...0x1B2FB, 0x1F004...0x1F004,
        0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F1E6...0x1F1FF, 0x1F200...0x1F320,
        0x1F32D...0x1F335,
        0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0,
        0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D,
        0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4,
        0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7,
        0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0,
        0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x2FFFD,
        0x30000...0x3FFFD,
    ]
}
