// Names come from devices: anybody who can plug one in chooses them. What reaches a cell must be neither a
// control character (it would speak to the terminal) nor of a width that terminals disagree about.

extension String {
    /// The text with each character either as it is or made harmless; safe to measure and to draw.
    public var harmless: String {
        isPlain ? self : String(compactMap(\.harmless))
    }

    /// Whether it is nothing but printable ASCII, as most text is: a byte is a character then, and a column.
    var isPlain: Bool { utf8.allSatisfy { 0x20..<0x7F ~= $0 } }

    /// At most `columns` wide, ending in `ellipsis` where something had to go. Expects harmless text.
    func truncated(to columns: Int, ellipsis: Character) -> String {
        guard CharacterWidth.columns(self) > columns else { return self }
        guard columns > 0 else { return "" }
        var result = ""
        var room = columns - 1
        for character in self {
            room -= CharacterWidth.columns(character)
            if room < 0 { break }
            result.append(character)
        }
        return result + String(ellipsis)
    }

    /// At most `columns` wide, the middle left out where something had to go: names that begin alike end differently.
    /// Expects harmless text.
    func shortened(to columns: Int, ellipsis: Character) -> String {
        guard CharacterWidth.columns(self) > columns, columns > 2 else {
            return truncated(to: columns, ellipsis: ellipsis)
        }
        let tail = end(columns: (columns - 1) / 2)
        let room = columns - CharacterWidth.columns(tail)
        return String(dropLast(tail.count)).truncated(to: room, ellipsis: ellipsis) + tail
    }

    /// As much of its end as takes at most `columns`. Expects harmless text.
    func end(columns: Int) -> String {
        var room = columns
        let end = reversed().prefix { character in
            room -= CharacterWidth.columns(character)
            return room >= 0
        }
        return String(end.reversed())
    }

    /// Broken at spaces into lines of at most `columns`; a longer word is cut. Expects harmless text.
    func wrapped(to columns: Int) -> [String] {
        guard columns > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ").flatMap({ String($0).pieces(of: columns) }) {
            if line.isEmpty {
                line = word
            } else if CharacterWidth.columns(line) + 1 + CharacterWidth.columns(word) <= columns {
                line += " " + word
            } else {
                lines.append(line)
                line = word
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private func pieces(of columns: Int) -> [String] {
        var pieces: [String] = [""]
        var width = 0
        for character in self {
            let own = CharacterWidth.columns(character)
            if width + own > columns, width > 0 {
                pieces.append("")
                width = 0
            }
            pieces[pieces.count - 1].append(character)
            width += own
        }
        return pieces
    }
}

extension Character {
    /// One base character with at most three marks; `?` for what has no safe form; nil for what is invisible.
    var harmless: Character? {
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
