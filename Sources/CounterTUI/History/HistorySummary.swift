import System

/// What a range of a location's history came to, in words and numbers that are shown as they are.
public struct HistorySummary: Hashable, Sendable {
    /// Which range: `Today`, `7 days`; empty where it has no name.
    public var title: String
    /// From when to when, in the location's time.
    public var period: String
    /// The KPIs, the most important first.
    public var facts: [Fact]
    /// In and out by hours or days, in the order of time.
    public var bars: [Bar]
    /// What was odd, in the order of time.
    public var anomalies: [Oddity]

    /// A summary.
    public init(title: String, period: String, facts: [Fact], bars: [Bar], anomalies: [Oddity]) {
        self.title = title
        self.period = period
        self.facts = facts
        self.bars = bars
        self.anomalies = anomalies
    }

    /// Whether nobody came or went.
    var isEmpty: Bool { bars.allSatisfy { $0.ins == 0 && $0.outs == 0 } }

    /// A number with its name.
    public struct Fact: Hashable, Sendable {
        /// What it is: `in`, `peak hour`.
        public let label: String
        /// The number as it is read.
        public let value: String

        /// A fact.
        public init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    /// An hour or a day of the chart.
    public struct Bar: Hashable, Sendable {
        /// What stands at it: `14`, `11-21`.
        public let label: String
        /// How many came in and went out.
        public internal(set) var ins = 0, outs = 0
        /// What was odd.
        public internal(set) var marks: Set<Mark> = []
        /// Whether it has not come yet.
        public let isAhead: Bool

        /// A bar.
        public init(label: String, ins: Int = 0, outs: Int = 0, marks: Set<Mark> = [], isAhead: Bool = false)
        {
            self.label = label
            self.ins = ins
            self.outs = outs
            self.marks = marks
            self.isAhead = isAhead
        }
    }

    /// A kind of thing that is odd, the worst first.
    public enum Mark: Int, Hashable, Sendable, CaseIterable {
        /// More than 110 % of the capacity.
        case overcrowded
        /// More had left than had come.
        case drifted
        /// Numbers were missing, a device started them again, or its clock ran ahead.
        case odd
        /// Nothing was heard.
        case silent

        /// What stands under a bar and before the words.
        var sign: Character {
            switch self {
            case .overcrowded: "!"
            case .drifted: "-"
            case .odd: "?"
            case .silent: "."
            }
        }
    }

    /// Something odd, in words.
    public struct Oddity: Hashable, Sendable {
        /// Of which kind.
        public let mark: Mark
        /// When, and what.
        public let text: String

        /// Something odd. The text may hold anything: what is not plain text is made harmless.
        public init(_ mark: Mark, _ text: String) {
            self.mark = mark
            self.text = text.harmless
        }
    }
}
