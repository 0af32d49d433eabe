import CounterModel

extension HistoryTexts {
    /// An anomaly as a sentence that begins with its time.
    func text(of anomaly: Anomaly) -> String {
        switch anomaly {
        case .overcrowding(let range, let highest): "\(during(range)) overcrowded, up to \(highest)"
        case .negativeDrift(let range, let lowest):
            "\(during(range)) more left than entered, down to \(lowest)"
        case .silence(let range): "\(during(range)) no events"
        case .sequenceGap(let device, let first, let last, let at):
            "\(time(at)) \(deviceName(device)): "
                + (first == last ? "number \(first) is missing" : "numbers \(first) to \(last) are missing")
        case .restart(let device, _, let at): "\(time(at)) \(deviceName(device)): its numbers started again"
        case .clockSkew(let device, let timestamp, let receivedAt):
            "\(time(receivedAt)) \(deviceName(device)): its clock said \(calendar.zone.text(of: timestamp))"
        }
    }

    private func during(_ range: Range<Timestamp>) -> String {
        if range == self.range.start..<self.range.end { return "all the time" }
        let (from, to) = (time(range.lowerBound), time(range.upperBound))
        return from == to ? from : "\(from) to \(to)"
    }
}

extension Anomaly {
    var mark: HistorySummary.Mark {
        switch self {
        case .overcrowding: .overcrowded
        case .negativeDrift: .drifted
        case .silence: .silent
        case .sequenceGap, .restart, .clockSkew: .inconsistent
        }
    }

    /// From its first moment to its last, or the moment of its detection.
    var span: ClosedRange<Timestamp> {
        switch self {
        case .overcrowding(let range, _), .negativeDrift(let range, _), .silence(let range):
            let last = Timestamp(microseconds: range.upperBound.microseconds - 1)
            return range.lowerBound...max(range.lowerBound, last)
        case .sequenceGap, .restart, .clockSkew: return start...start
        }
    }
}
