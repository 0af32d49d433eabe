import CounterTUI
import Linux

/// A drawing of characters, put together from smaller ones.
struct Sketch {
    /// The content of one column; no character where the one before is two columns wide.
    private struct Ink {
        let character: Character?
        let style: Style

        static let blank = Ink(character: " ", style: .plain)
    }

    private var rows: [[Ink]]
    let width: Int

    var height: Int { rows.count }

    private init(rows: [[Ink]], width: Int) { (self.rows, self.width) = (rows, width) }

    init(_ lines: [String], _ style: Style = .plain) {
        let rows = lines.map { line in
            line.flatMap { character in
                let rest = max(1, CharacterWidth.columns(String(character))) - 1
                return [Ink(character: character, style: style)]
                    + Array(repeating: Ink(character: nil, style: style), count: rest)
            }
        }
        let width = rows.map(\.count).max() ?? 0
        self.init(rows: rows.map { $0 + Array(repeating: .blank, count: width - $0.count) }, width: width)
    }

    static func blank(width: Int, height: Int) -> Sketch {
        Sketch(
            rows: Array(repeating: Array(repeating: .blank, count: width), count: max(0, height)),
            width: width)
    }

    func fits(_ space: Size) -> Bool { width <= space.columns && height <= space.rows }

    /// Draws another sketch over this one, which it must not leave.
    mutating func put(_ other: Sketch, row: Int, column: Int) {
        for (index, inks) in other.rows.enumerated() {
            rows[row + index].replaceSubrange(column..<column + inks.count, with: inks)
        }
    }

    /// Both, beside each other, the lower one in the middle.
    func beside(_ other: Sketch, gap: Int) -> Sketch {
        var both = Sketch.blank(width: width + gap + other.width, height: max(height, other.height))
        both.put(self, row: (both.height - height) / 2, column: 0)
        both.put(other, row: (both.height - other.height) / 2, column: width + gap)
        return both
    }

    /// Both, this one above, the narrower one in the middle.
    func above(_ other: Sketch, gap: Int = 0) -> Sketch {
        var both = Sketch.blank(width: max(width, other.width), height: height + gap + other.height)
        both.put(self, row: 0, column: (both.width - width) / 2)
        both.put(other, row: height + gap, column: (both.width - other.width) / 2)
        return both
    }

    /// The part of at most `width` × `height` around a cell.
    func part(around row: Int, _ column: Int, width: Int, height: Int) -> Sketch {
        let (width, height) = (min(width, self.width), min(height, self.height))
        let top = min(max(0, row - height / 2), self.height - height)
        let left = min(max(0, column - width / 2), self.width - width)
        return Sketch(rows: rows[top..<top + height].map { Array($0[left..<left + width]) }, width: width)
    }

    var runs: [(row: Int, column: Int, text: String, style: Style)] {
        rows.enumerated().flatMap { row, inks in
            var runs: [(Int, Int, String, Style)] = []
            var column = 0
            while column < inks.count {
                let style = inks[column].style
                let run = inks[column...].prefix { $0.style == style }
                runs.append((row, column, String(run.compactMap(\.character)), style))
                column = run.endIndex
            }
            return runs
        }
    }
}

extension Sequence<Sketch> {
    func inARow(gap: Int) -> Sketch {
        reduce(nil as Sketch?) { $0?.beside($1, gap: gap) ?? $1 } ?? Sketch([])
    }

    func inAColumn(gap: Int = 0) -> Sketch {
        reduce(nil as Sketch?) { $0?.above($1, gap: gap) ?? $1 } ?? Sketch([])
    }
}
