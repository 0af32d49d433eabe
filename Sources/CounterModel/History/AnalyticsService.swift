/// Computes what a range of a location's history came to.
public struct AnalyticsService<Repository: HistoryRepository> {
    private let repository: Repository

    /// Computes from a repository.
    public init(_ repository: Repository) { self.repository = repository }

    /// The KPIs of a range.
    ///
    /// - parameters:
    ///     - location: Whose. Where it has no capacity now, what was counted by hand is in the totals.
    ///     - hours: The start of each hour of the range, ascending; at least one. All but the first are starts of minutes.
    ///     - end: The end of the last hour.
    ///     - now: Nothing after it is looked at.
    ///     - silence: How long nothing may be heard, in microseconds.
    /// - returns: All zeros where there is no such location.
    /// - throws: The repository's error.
    public func kpis(
        of location: Location, hours: [Timestamp], end: Timestamp, now: Timestamp, silence: Int64
    ) throws(Repository.Failure) -> KPIs {
        let from = hours[0]
        let to = max(from, min(end, now))
        var kpis = KPIs(from: from, to: to, hours: hours.map(HourFlow.init))
        let stretches = try repository.stretches(of: location.id, from: from, to: to)
        var sweep = LevelSweep(from: from, to: to, capacities: try repository.capacities(of: location.id))
        var flow = FlowCount(countsManual: location.maxCapacity == nil)
        for (index, stretch) in stretches.enumerated() {
            let next = index + 1 < stretches.count ? stretches[index + 1].begin : to
            sweep.begin(stretch, until: next)
            for minute in stretch.minutes {
                let steps = try steps(in: minute, of: stretch, location.id, sweep: sweep)
                flow.add(minute, steps, to: &kpis)
                sweep.add(minute, steps)
            }
            sweep.end()
        }
        sweep.conclude(&kpis)
        kpis.anomalies += try repository.oddities(of: location.id, from: from, to: to)
        // Before anything was ever heard of it nobody was listening.
        if let first = try repository.firstSign(of: location.id), first < to {
            let start = max(from, first)
            kpis.anomalies += try silences(
                of: location.id, longerThan: silence, from: start, to: to, stretches)
        }
        kpis.anomalies.sort { $0.start < $1.start }
        return kpis
    }

    /// The times of which nothing was heard.
    private func silences(
        of locationId: String, longerThan threshold: Int64, from: Timestamp, to: Timestamp,
        _ stretches: [Stretch]
    ) throws(Repository.Failure) -> [Anomaly] {
        guard to.microseconds - from.microseconds > threshold else { return [] }
        var signs = try repository.presence(of: locationId, from: from, to: to).map { Sign(presence: $0) }
        for stretch in stretches { signs += stretch.minutes.map { Sign(minute: $0, of: stretch) } }
        signs.sort { $0.begin < $1.begin }
        var result: [Anomaly] = []
        var quietSince = from.microseconds
        for sign in signs + [Sign(presence: to..<to)] {
            var begin = sign.begin
            if let (minute, stretch) = sign.minute, sign.end - quietSince > threshold {
                begin = try repository.steps(of: locationId, in: stretch, minute: minute).first?.time ?? begin
            }
            begin = min(begin, to.microseconds)
            if begin - quietSince > threshold {
                result.append(
                    .silence(Timestamp(microseconds: quietSince)..<Timestamp(microseconds: begin)))
            }
            quietSince = max(quietSince, sign.end)
        }
        return result
    }

    /// The single entries of a minute, where its sums are not enough.
    private func steps(
        in minute: MinuteRollup, of stretch: Stretch, _ locationId: String, sweep: LevelSweep
    ) throws(Repository.Failure) -> [LevelStep]? {
        guard sweep.needsSteps(of: minute) else { return nil }
        return try repository.steps(of: locationId, in: stretch, minute: minute)
            .filter { (sweep.from.microseconds..<sweep.to.microseconds).contains($0.time) }
    }
}

/// Counts what came in and went out.
private struct FlowCount {
    let countsManual: Bool
    /// The hour that the last minute was in.
    private var hour = 0

    init(countsManual: Bool) { self.countsManual = countsManual }

    /// Adds a minute, or the part of it that `steps` are.
    mutating func add(_ minute: MinuteRollup, _ steps: [LevelStep]?, to kpis: inout KPIs) {
        var (ins, outs, manualIns, manualOuts) = (
            minute.ins, minute.outs, minute.manualIns, minute.manualOuts
        )
        if let steps {
            ins = steps.count { $0.type == .in && !$0.isManual }
            outs = steps.count { $0.type == .out && !$0.isManual }
            manualIns = steps.count { $0.type == .in && $0.isManual }
            manualOuts = steps.count { $0.type == .out && $0.isManual }
        }
        if countsManual {
            ins += manualIns
            outs += manualOuts
        } else {
            kpis.manualIn += manualIns
            kpis.manualOut += manualOuts
        }
        kpis.totalIn += ins
        kpis.totalOut += outs
        turn(to: minute, in: kpis.hours)
        kpis.hours[hour].totalIn += ins
        kpis.hours[hour].totalOut += outs
    }

    private mutating func turn(to minute: MinuteRollup, in hours: [HourFlow]) {
        while hour + 1 < hours.count, hours[hour + 1].start.microseconds <= minute.start { hour += 1 }
    }
}

/// From when to when something was heard.
private struct Sign {
    /// Of a minute its start: when its first entry came is looked up where it matters.
    let begin: Int64
    let end: Int64
    let minute: (MinuteRollup, of: Stretch)?

    init(presence: Range<Timestamp>) {
        (begin, end) = (presence.lowerBound.microseconds, presence.upperBound.microseconds)
        minute = nil
    }

    init(minute: MinuteRollup, of stretch: Stretch) {
        (begin, end) = (minute.start, minute.last)
        self.minute = (minute, stretch)
    }
}
