import CounterModel

/// A part of a range, with its totals.
struct HistoryBar {
    let bucket: HistoryBucket
    var totalIn = 0
    var totalOut = 0
    /// The kinds of its anomalies.
    var marks: Set<HistorySummary.Mark> = []

    var net: Int { totalIn - totalOut }
    var isEmpty: Bool { totalIn == 0 && totalOut == 0 }
}

extension LocationSpan {
    /// The bars of the range, in chronological order.
    func bars(_ kpis: KPIs) -> [HistoryBar] { [HistoryBar](buckets, kpis) }
}

extension [HistoryBar] {
    /// The bars of a range, in chronological order.
    ///
    /// - Parameters:
    ///   - buckets: The parts of the range.
    ///   - kpis: The figures of the range, with the flow of each of these parts.
    init(_ buckets: [HistoryBucket], _ kpis: KPIs) {
        self = zip(buckets, kpis.bars).map {
            HistoryBar(bucket: $0, totalIn: $1.totalIn, totalOut: $1.totalOut)
        }
        for anomaly in kpis.anomalies { mark(anomaly) }
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
