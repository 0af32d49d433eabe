import Linux

/// The totals of a range of a location's history, as texts and numbers ready to display.
package struct HistorySummary: Hashable, Sendable {
    /// The name of the range: `Today`, `7 days`; empty where it has none.
    package var title: String
    /// The start and end, in the location's zone.
    package var period: String
    /// The KPIs, the most important first.
    package var facts: [Fact]
    /// Entries in and out by hours or days, in chronological order.
    package var bars: [Bar]
    /// The anomalies, in chronological order.
    package var anomalies: [AnomalyNote]

    /// A summary.
    package init(title: String, period: String, facts: [Fact], bars: [Bar], anomalies: [AnomalyNote]) {
        self.title = title
        self.period = period
        self.facts = facts
        self.bars = bars
        self.anomalies = anomalies
    }

    /// Whether there were no entries.
    package var isEmpty: Bool { bars.allSatisfy { $0.ins == 0 && $0.outs == 0 } }

    /// A KPI: a number with its label.
    package struct Fact: Hashable, Sendable {
        /// The label: `in`, `peak hour`.
        package let label: String
        /// The number as it is displayed.
        package let value: String

        /// A fact.
        package init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    /// An hour or a day of the chart.
    package struct Bar: Hashable, Sendable {
        /// The label: `14`, `11-21`.
        package let label: String
        /// Entries in and out.
        package let ins: Int, outs: Int
        /// The kinds of its anomalies.
        package let marks: Set<Mark>
        /// Whether it lies in the future.
        package let isAhead: Bool

        /// A bar.
        package init(label: String, ins: Int = 0, outs: Int = 0, marks: Set<Mark> = [], isAhead: Bool = false)
        {
            self.label = label
            self.ins = ins
            self.outs = outs
            self.marks = marks
            self.isAhead = isAhead
        }
    }

    /// A kind of anomaly, the most severe first.
    package enum Mark: Int, Hashable, Sendable, CaseIterable {
        /// More than 110 % of the capacity.
        case overcrowded
        /// More exits than entries had been counted.
        case drifted
        /// Sequence numbers were missing, a device restarted its numbering, or its clock ran ahead.
        case inconsistent
        /// No event arrived.
        case silent
        /// A timer counted.
        case timer

        /// The sign below a bar and in front of the text.
        package var sign: Character {
            switch self {
            case .overcrowded: "!"
            case .drifted: "-"
            case .inconsistent: "?"
            case .silent: "."
            case .timer: "t"
            }
        }
    }

    /// An anomaly, or the window of a timer, as text.
    package struct AnomalyNote: Hashable, Sendable {
        /// The kind.
        package let mark: Mark
        /// The time and the description.
        package let text: String

        /// An anomaly. The text may hold any characters: it is sanitised for the terminal.
        package init(_ mark: Mark, _ text: String) {
            self.mark = mark
            self.text = text.sanitised
        }
    }
}
