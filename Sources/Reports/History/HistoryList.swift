package import CounterModel
import Linux

/// The part of a history's rows that is loaded, the latest first.
package struct HistoryList: Hashable, Sendable {
    /// A row of the history, as it is displayed.
    package struct Line: Hashable, Sendable {
        /// Its position in the journal.
        package let position: Position
        /// The time at which it counts, in the location's zone.
        package let time: String
        /// The change: `+1`, `reset to 0`, `capacity 120`.
        package let what: String
        /// The device, the user and the reason, as far as they are known.
        package let origin: String
        /// Who took it back and when; nil where it counts.
        package let void: String?
        /// Whether the entry was voided.
        package var isVoid: Bool { void != nil }

        /// A line. The texts may hold any characters: they are sanitised for the terminal.
        package init(position: Position, time: String, what: String, origin: String, void: String? = nil) {
            self.position = position
            self.void = void?.sanitised
            self.time = time.sanitised
            self.what = what.sanitised
            self.origin = origin.sanitised
        }
    }

    /// The loaded rows.
    package var lines: [Line]
    /// The index of the first visible line.
    package var top: Int
    /// The index of the selected line.
    package var cursor: Int

    /// A list that starts at its line `top`.
    package init(lines: [Line] = [], top: Int = 0, cursor: Int = 0) {
        self.lines = lines
        self.top = top
        self.cursor = cursor
    }

    /// The lines that are visible in `rows` rows: all rows are filled, even if the terminal has grown since `top` was
    /// set.
    package func shown(rows: Int) -> ArraySlice<Line> {
        lines.dropFirst(max(0, min(top, lines.count - rows))).prefix(rows)
    }

    /// The selected line; nil where there is none.
    package var selected: Line? { lines.indices.contains(cursor) ? lines[cursor] : nil }
}
