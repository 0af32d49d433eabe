public import CounterModel
import System

/// The part of a history's rows that is loaded, the latest first.
public struct HistoryList: Hashable, Sendable {
    /// A row of the history, as it is displayed.
    public struct Line: Hashable, Sendable {
        /// Its position in the journal.
        public let position: Position
        /// The time at which it counts, in the location's zone.
        public let time: String
        /// The change: `+1`, `reset to 0`, `capacity 120`.
        public let what: String
        /// The device, the user and the reason, as far as they are known.
        public let origin: String
        /// Who took it back and when; nil where it counts.
        public let void: String?
        /// Whether the entry was voided.
        public var isVoid: Bool { void != nil }

        /// A line. The texts may hold any characters: they are sanitised for the terminal.
        public init(position: Position, time: String, what: String, origin: String, void: String? = nil) {
            self.position = position
            self.void = void?.sanitised
            self.time = time.sanitised
            self.what = what.sanitised
            self.origin = origin.sanitised
        }
    }

    /// The loaded rows.
    public var lines: [Line]
    /// The index of the first visible line.
    public var top: Int
    /// The index of the selected line.
    public var cursor: Int

    /// A list that starts at its line `top`.
    public init(lines: [Line] = [], top: Int = 0, cursor: Int = 0) {
        self.lines = lines
        self.top = top
        self.cursor = cursor
    }

    /// The lines that are visible in `rows` rows: all rows are filled, even if the terminal has grown since `top` was
    /// set.
    public func shown(rows: Int) -> ArraySlice<Line> {
        lines.dropFirst(max(0, min(top, lines.count - rows))).prefix(rows)
    }

    /// The selected line; nil where there is none.
    public var selected: Line? { lines.indices.contains(cursor) ? lines[cursor] : nil }
}
