import CounterModel

/// An hour or a day of a range, with its totals.
struct HistoryBar {
    let bucket: HistoryBucket
    var totalIn = 0
    var totalOut = 0
    /// The kinds of its anomalies.
    var marks: Set<HistorySummary.Mark> = []

    var net: Int { totalIn - totalOut }
}

extension HistoryRange {
    /// The bars of the range, in chronological order.
    func bars(in calendar: OperationalCalendar, _ kpis: KPIs) -> [HistoryBar] {
        var bars = buckets(in: calendar).map { HistoryBar(bucket: $0) }
        bars.add(kpis.hours)
        for anomaly in kpis.anomalies { bars.mark(anomaly) }
        return bars
    }
}

extension [HistoryBar] {
    // Day bounds are hour bounds too. Hours start at whole minutes; buckets may start within a minute.
    fileprivate mutating func add(_ hours: [HourFlow]) {
        var index = 0
        for hour in hours {
            while index + 1 < count, self[index + 1].bucket.start.startOfMinute <= hour.start { index += 1 }
            self[index].totalIn += hour.totalIn
            self[index].totalOut += hour.totalOut
        }
    }

    fileprivate mutating func mark(_ anomaly: Anomaly) {
        let span = anomaly.span
        for index in firstIndex(endingAfter: span.lowerBound)..<count {
            guard self[index].bucket.start <= span.upperBound else { return }
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
