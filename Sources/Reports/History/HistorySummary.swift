package import CounterModel
import CounterStore
import Linux

/// The totals of a range of a location's history, as texts and numbers ready to display.
package struct HistorySummary: Hashable, Sendable {
    /// The name of the range: `Today`, `7 days`; empty where it has none.
    package var title: String
    package var period: String
    /// The KPIs, the most important first.
    package var facts: [Fact]
    /// Entries in and out by hours or days, in chronological order.
    package var bars: [HistoryBar]
    package var anomalies: [AnomalyNote]
    package var flow: FlowWords

    package struct Fact: Hashable, Sendable {
        /// The label: `in`, `peak hour`.
        package let label: String
        package let value: String

        package init(_ label: String, _ value: String) { (self.label, self.value) = (label, value) }
    }

    /// A kind of anomaly, the most severe first.
    package enum Mark: Int, Hashable, Sendable, CaseIterable {
        /// More than 110 % of the capacity.
        case overcrowded
        /// More exits than entries had been counted.
        case drifted
        /// Sequence numbers were missing, a device restarted its numbering, or its clock ran ahead.
        case inconsistent
        case silent
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
        package let mark: Mark
        package let text: String

        /// An anomaly. The text may hold any characters: it is sanitised for the terminal.
        package init(_ mark: Mark, _ text: String) {
            self.mark = mark
            self.text = text.sanitised
        }
    }
}

// MARK: Bars

/// A minute, an hour, a day or a week of a range, or the part of it in the range.
package struct HistoryBar: Hashable, Sendable {
    let bucket: Range<Timestamp>
    /// The label in the chart: `14`, `11-21`.
    package var label = ""
    package var ins = 0, outs = 0
    package var marks: Set<HistorySummary.Mark> = []
    package var isAhead = false
    /// Whether the location is closed all the time, by its opening hours.
    package var isClosed = false

    var net: Int { ins - outs }
    package var isEmpty: Bool { ins == 0 && outs == 0 }
}

extension [HistoryBar] {
    /// The bars of a range, in chronological order, whose flows the KPIs have: each goes up to the next.
    init(_ range: Range<Timestamp>, _ kpis: KPIs) {
        let ends = kpis.bars.dropFirst().map(\.start) + [range.end]
        self = zip(kpis.bars, ends).map { flow, end in
            HistoryBar(bucket: flow.start..<end, ins: flow.totalIn, outs: flow.totalOut)
        }
        for anomaly in kpis.anomalies { mark(anomaly) }
    }

    private mutating func mark(_ anomaly: Anomaly) {
        let start = anomaly.range.start
        let end = Swift.max(anomaly.range.end, start + .microseconds(1))
        for index in firstIndex(endingAfter: start)..<count {
            guard self[index].bucket.start < end else { return }
            self[index].marks.insert(anomaly.mark)
        }
    }

    private func firstIndex(endingAfter moment: Timestamp) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].bucket.end > moment { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Array {
    /// Parts of at least one element: those before the first that is not empty are one part, so are those after the last that is
    /// not, and each other element is one by itself.
    package func folded(where isEmpty: (Element) -> Bool) -> [Range<Int>] {
        let before = prefix(while: isEmpty).count
        let end = count - self[before...].reversed().prefix(while: isEmpty).count
        var parts = before > 0 ? [0..<before] : []
        parts += (before..<end).map { $0..<$0 + 1 }
        return end < count ? parts + [end..<count] : parts
    }
}

// MARK: Timers

extension HistorySummary {
    /// The last so many timers of a range are marked.
    private static let mostTimers = 50

    /// Marks the windows of timers that counted in the location: below the bars in which they were, and as notes with their
    /// results there.
    mutating func mark(
        _ board: TimerBoard, in journal: SQLiteJournal, _ texts: HistoryTexts, at now: Timestamp
    ) throws(JournalError) {
        if board.all.isEmpty { return }
        let (span, range) = (texts.span, texts.span.range)
        let timers = board.all.filter { timer in
            timer.locations.contains(span.location.id)
                && timer.windows(at: now).contains { $0.from < range.upperBound && range.lowerBound < $0.to }
        }.suffix(Self.mostTimers)
        for timer in timers {
            let windows = timer.windows(at: now)
            guard let first = windows.first, let last = windows.last else { continue }
            let counted = timer.countedWindows(at: now)
            let counts = try journal.counts(in: counted, of: .some([span.location.id]))
            let result = TimerResult(counted, counts)
            let during = "\(texts.time(first.from)) to \(texts.time(last.to))"
            let count = texts.flow.text(result.totalIn, result.totalOut)
            anomalies.append(AnomalyNote(.timer, "\(during) \(timer.setup.title): \(count)"))
            for index in bars.indices {
                let bucket = bars[index].bucket
                if windows.contains(where: { $0.from < bucket.end && bucket.start < $0.to }) {
                    bars[index].marks.insert(.timer)
                }
            }
        }
    }
}
