import System

/// The part of a history's rows that is in memory, the latest first.
public struct HistoryList: Hashable, Sendable {
    /// A row of the history, as it is read.
    public struct Line: Hashable, Sendable {
        /// When it counts, in the location's time.
        public let time: String
        /// What it is: `+1`, `reset to 0`, `capacity 120`.
        public let what: String
        /// The device, who did it, and why, as far as that is known.
        public let origin: String
        /// Whether it was taken back.
        public let isVoid: Bool

        /// A line. The texts may hold anything: what is not plain text is made harmless.
        public init(time: String, what: String, origin: String, isVoid: Bool) {
            self.time = time.harmless
            self.what = what.harmless
            self.origin = origin.harmless
            self.isVoid = isVoid
        }
    }

    /// Those that are in memory.
    public var lines: [Line]
    /// The first of them that is shown.
    public var top: Int

    /// A list that is shown from its line `top` on.
    public init(lines: [Line] = [], top: Int = 0) {
        self.lines = lines
        self.top = top
    }

    /// Those that so many rows show: full ones, though the terminal may have grown since `top` was chosen.
    func shown(rows: Int) -> ArraySlice<Line> {
        lines.dropFirst(max(0, min(top, lines.count - rows))).prefix(rows)
    }
}
