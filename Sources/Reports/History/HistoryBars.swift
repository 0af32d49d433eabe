import CounterModel

/// Divides a range into the bars of a chart, and fills them with flows and marks.
struct HistoryBars {
    /// The longest range, in days, whose dates need no month.
    private static let longestWithoutMonth = 31

    private let buckets: [HistoryBucket]
    private let now: Timestamp
    private let date: (CalendarDate) -> String

    /// `date` formats a date where the day of the month is not enough.
    init(
        _ range: HistoryRange, in calendar: OperationalCalendar, now: Timestamp,
        date: @escaping (CalendarDate) -> String
    ) {
        buckets = range.buckets(in: calendar)
        self.now = now
        self.date = date
    }

    func bars(_ kpis: KPIs) -> [HistorySummary.Bar] {
        var bars = buckets.map { HistorySummary.Bar(label: label($0), isAhead: $0.start >= now) }
        add(kpis.hours, to: &bars)
        for anomaly in kpis.anomalies { mark(anomaly, in: &bars) }
        return bars
    }

    private func label(_ bucket: HistoryBucket) -> String {
        switch bucket.label {
        case .hour(let hour): hour.hour < 10 ? "0\(hour.hour)" : "\(hour.hour)"
        case .day(let day) where buckets.count > Self.longestWithoutMonth: date(day.date)
        case .day(let day): String("\(day.date)".suffix("21".count))
        }
    }

    // Day bounds are hour bounds too. Hours start at whole minutes; buckets may start within a minute.
    private func add(_ hours: [HourFlow], to bars: inout [HistorySummary.Bar]) {
        var index = 0
        for hour in hours {
            while index + 1 < buckets.count, buckets[index + 1].start.startOfMinute <= hour.start {
                index += 1
            }
            bars[index].ins += hour.totalIn
            bars[index].outs += hour.totalOut
        }
    }

    private func mark(_ anomaly: Anomaly, in bars: inout [HistorySummary.Bar]) {
        let span = anomaly.span
        var index = firstBucket(endingAfter: span.lowerBound)
        while index < buckets.count, buckets[index].start <= span.upperBound {
            bars[index].marks.insert(anomaly.mark)
            index += 1
        }
    }

    private func firstBucket(endingAfter moment: Timestamp) -> Int {
        var (low, high) = (0, buckets.count)
        while low < high {
            let middle = (low + high) / 2
            if buckets[middle].end > moment { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
