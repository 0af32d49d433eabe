import CounterModel
import CounterStore

extension HistorySummary {
    /// The last so many timers of a range are marked.
    private static let mostTimers = 50

    /// Marks the windows of timers that counted in a span's location: below the bars in which they were, and as notes with their
    /// results in this location.
    mutating func mark(
        _ board: TimerBoard, in journal: SQLiteJournal, of span: LocationSpan, _ texts: HistoryTexts,
        at now: Timestamp
    ) throws(JournalError) {
        if board.all.isEmpty { return }
        let range = span.range.start..<span.range.end
        let timers = board.all.filter { timer in
            timer.locations.contains(span.location.id)
                && timer.windows(at: now).contains { $0.from < range.upperBound && range.lowerBound < $0.to }
        }.suffix(Self.mostTimers)
        let buckets = span.buckets
        for timer in timers {
            let windows = timer.windows(at: now)
            let counted = timer.countedWindows(at: now)
            let counts = try journal.counts(in: counted, of: .some([span.location.id]))
            note(timer, windows, TimerResult(counted, counts), texts)
            mark(windows, buckets)
        }
    }

    private mutating func note(
        _ timer: TimerData, _ windows: [TimerWindow], _ result: TimerResult, _ texts: HistoryTexts
    ) {
        guard let first = windows.first, let last = windows.last else { return }
        let during = "\(texts.time(first.from)) to \(texts.time(last.to))"
        let text = "\(during) \(timer.setup.title): \(result.totalIn) in, \(result.totalOut) out"
        anomalies.append(AnomalyNote(.timer, text))
    }

    private mutating func mark(_ windows: [TimerWindow], _ buckets: [HistoryBucket]) {
        for (index, bucket) in buckets.enumerated() where bars.indices.contains(index) {
            guard windows.contains(where: { $0.from < bucket.end && bucket.start < $0.to }) else { continue }
            let bar = bars[index]
            bars[index] = Bar(
                label: bar.label, ins: bar.ins, outs: bar.outs, marks: bar.marks.union([.timer]),
                isAhead: bar.isAhead)
        }
    }
}
