import Linux

extension String {
    /// The text, truncated to at most `columns` columns; it then ends in `ellipsis`. Expects sanitised text.
    package func truncated(to columns: Int, ellipsis: Character) -> String {
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

    /// The text with its middle left out, at most `columns` wide: names that begin alike often end differently.
    /// Expects sanitised text.
    func shortened(to columns: Int, ellipsis: Character) -> String {
        guard CharacterWidth.columns(self) > columns, columns > 2 else {
            return truncated(to: columns, ellipsis: ellipsis)
        }
        let tail = end(columns: (columns - 1) / 2)
        let room = columns - CharacterWidth.columns(tail)
        return String(dropLast(tail.count)).truncated(to: room, ellipsis: ellipsis) + tail
    }

    /// The longest suffix of at most `columns` columns. Expects sanitised text.
    package func end(columns: Int) -> String {
        var room = columns
        let end = reversed().prefix { character in
            room -= CharacterWidth.columns(character)
            return room >= 0
        }
        return String(end.reversed())
    }

    /// The text wrapped at spaces into lines of at most `columns`; a longer word is split. Expects sanitised text.
    package func wrapped(to columns: Int) -> [String] {
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
