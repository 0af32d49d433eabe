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
        let words = split(separator: " ").flatMap { word in
            Array(word).rows(gap: 0, columns: columns) { CharacterWidth.columns($0) }.map { String($0) }
        }
        return words.rows(gap: 1, columns: columns) { CharacterWidth.columns($0) }
            .map { $0.joined(separator: " ") }
    }
}

extension Array {
    /// The elements in rows, as many in each as fit with gaps between them.
    func rows(gap: Int, columns: Int, width: (Element) -> Int) -> [[Element]] {
        var rows: [[Element]] = []
        var used = 0
        for element in self {
            let own = width(element)
            if !rows.isEmpty, used + gap + own <= columns {
                rows[rows.count - 1].append(element)
                used += gap + own
            } else {
                rows.append([element])
                used = own
            }
        }
        return rows
    }
}
