import System

/// The part of a history's rows that is loaded, the latest first.
public struct HistoryList: Hashable, Sendable {
    /// A row of the history, as it is displayed.
    public struct Line: Hashable, Sendable {
        /// The time at which it counts, in the location's zone.
        public let time: String
        /// The change: `+1`, `reset to 0`, `capacity 120`.
        public let what: String
        /// The device, the user and the reason, as far as they are known.
        public let origin: String
        /// Whether the entry was voided.
        public let isVoid: Bool

        /// A line. The texts may hold any characters: they are sanitised for the terminal.
        public init(time: String, what: String, origin: String, isVoid: Bool) {
            self.time = time.sanitised
            self.what = what.sanitised
            self.origin = origin.sanitised
            self.isVoid = isVoid
        }
    }

    /// The loaded rows.
    public var lines: [Line]
    /// The index of the first visible line.
    public var top: Int

    /// A list that starts at its line `top`.
    public init(lines: [Line] = [], top: Int = 0) {
        self.lines = lines
        self.top = top
    }

    /// The lines that are visible in `rows` rows: all rows are filled, even if the terminal has grown since `top` was
    /// set.
    public func shown(rows: Int) -> ArraySlice<Line> {
        lines.dropFirst(max(0, min(top, lines.count - rows))).prefix(rows)
    }
}
