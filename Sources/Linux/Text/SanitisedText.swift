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

    /// The text sanitised for the terminal: each character unchanged or replaced, so that the text is safe to measure and
    /// draw.
    package var sanitised: String {
        isPlain ? self : String(compactMap(\.sanitised))
    }

    /// Whether it is printable ASCII only, as most text is: then each byte is one character and one column.
    package var isPlain: Bool { utf8.allSatisfy { 0x20..<0x7F ~= $0 } }
}

extension Character {
    /// The character sanitised: a base character with at most three marks, or a flag; `?` where it has no safe form; nil where it
    /// is invisible.
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
