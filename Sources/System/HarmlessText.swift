// Names come from devices: anybody who can plug one in chooses them. What reaches a cell must be neither a
// control character (it would speak to the terminal) nor of a width that terminals disagree about.

extension String {
    /// With `?` for each control character (general category Cc) but line feeds: what may be printed, whoever chose it.
    public var printable: String {
        // All of them are one of these bytes in UTF-8, or begin with 0xC2.
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == 0xA || $0 > 0xC2 || 0x80..<0xC2 ~= $0 }) {
            return self
        }
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 && scalar != "\n" || 0x7F...0x9F ~= scalar.value ? "?" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The text with each character either as it is or made harmless; safe to measure and to draw.
    public var harmless: String {
        isPlain ? self : String(compactMap(\.harmless))
    }

    /// Whether it is nothing but printable ASCII, as most text is: a byte is a character then, and a column.
    public var isPlain: Bool { utf8.allSatisfy { 0x20..<0x7F ~= $0 } }
}

extension Character {
    /// One base character with at most three marks; `?` for what has no safe form; nil for what is invisible.
    public var harmless: Character? {
        if isASCII, let byte = asciiValue { return byte >= 0x20 && byte < 0x7F ? self : "?" }
        guard let base = unicodeScalars.first else { return nil }
        switch base.properties.generalCategory {
        case .format: return nil
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .nonspacingMark, .enclosingMark, .spacingMark:
            return "?"
        case .spaceSeparator: return " "
        default: return withFewMarks(base)
        }
    }

    // Joiners and variation selectors make emoji whose width no two terminals agree on: only plain marks stay.
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
