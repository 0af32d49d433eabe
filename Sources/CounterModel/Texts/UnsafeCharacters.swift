extension String {
    /// Whether it contains a control character, of ASCII or U+0080 to U+009F (general category Cc). Names, ids and reasons
    /// may not: a control character could send a command to the terminal or break a line.
    package var holdsControlCharacter: Bool { unicodeScalars.contains(where: \.isControl) }

    /// Whether it contains a character that changes the direction of the text after it (UAX #9), which could make one id look
    /// like another.
    package var holdsBidirectionalControl: Bool { unicodeScalars.contains(where: \.isBidirectionalControl) }

    /// Whether a reader sees anything of it: a character that is no white space, no mark without a letter, and none that
    /// Unicode lets programs ignore (`Default_Ignorable_Code_Point`), such as U+200B.
    package var hasVisibleCharacter: Bool { unicodeScalars.contains(where: \.isVisible) }

    /// The text with a space in place of each control character; used to show texts from journals of earlier versions.
    package var withSpacesForControls: String {
        guard holdsControlCharacter else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isVisible: Bool {
        if properties.isWhitespace || properties.isDefaultIgnorableCodePoint || value == 0x2800 {
            return false
        }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .nonspacingMark, .enclosingMark: false
        default: true
        }
    }

    fileprivate var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }

    fileprivate var isBidirectionalControl: Bool {
        value == 0x61C || 0x200E...0x200F ~= value || 0x202A...0x202E ~= value || 0x2066...0x2069 ~= value
    }
}
