import Linux

/// Computes the KPIs of a range of a location's history.
package struct AnalyticsService<Repository: HistoryRepository> {
    private let repository: Repository

    /// Creates a service that reads from a repository.
    package init(_ repository: Repository) { self.repository = repository }

    /// The KPIs of a range.
    ///
    /// - parameters:
    ///     - location: The location.
    ///     - hours: The start of each hour of the range, ascending; at least one. All but the first are starts of minutes.
    ///     - end: The end of the last hour.
    ///     - now: The end of the range where `end` is later.
    ///     - bars: The starts of the bars that a chart or table of the range has, under the same rules; none by default.
    ///     - open: When silence is judged; always by default.
    ///     - silence: The longest time without events or presence that is no anomaly, in microseconds.
    /// - returns: All zeros where there is no such location.
    /// - throws: The repository's error.
    package func kpis(
        of location: Location, hours: [Timestamp], end: Timestamp, now: Timestamp, bars: [Timestamp] = [],
        open: OpenTimes = .always, silence: Int64
    ) throws(Repository.Failure) -> KPIs {
        let from = hours[0]
        let to = max(from, min(end, now))
        var kpis = KPIs(from: from, to: to, hours: hours.map(Flow.init), bars: bars.map(Flow.init))
        let spans = try repository.spans(of: location.id, from: from, to: to)
        var sweep = LevelSweep(from: from, to: to, capacities: try repository.capacities(of: location.id))
        var flow = FlowCount()
        for (index, span) in spans.enumerated() {
            let next = index + 1 < spans.count ? spans[index + 1].begin : to
            sweep.begin(span, until: next)
            for minute in span.minutes {
                let steps = try steps(in: minute, of: span, location.id, sweep: sweep)
                flow.add(minute, steps, to: &kpis)
                sweep.add(minute, steps)
            }
            sweep.end()
        }
        sweep.conclude(&kpis)
        kpis.anomalies += try repository.anomalies(of: location.id, from: from, to: to)
        // Before the first sign of the location no device was connected, so there is no silence to report.
        if let first = try repository.firstSign(of: location.id), first < to {
            let start = max(from, first)
            kpis.anomalies += try silences(
                of: location.id, longerThan: silence, from: start, to: to, spans, open)
        }
        kpis.anomalies.sort { $0.start < $1.start }
        return kpis
    }

    /// The times longer than the threshold without an event and without a connected device, as far as the location is open.
    private func silences(
        of locationId: Identifier, longerThan threshold: Int64, from: Timestamp, to: Timestamp,
        _ spans: [HistorySpan], _ open: OpenTimes
    ) throws(Repository.Failure) -> [Anomaly] {
        guard to.microseconds - from.microseconds > threshold else { return [] }
        var signs = try repository.presence(of: locationId, from: from, to: to).map { Sign(presence: $0) }
        let open = open.ranges(in: from..<to, events: spans.flatMap(\.minutes))
        for span in spans { signs += span.minutes.map { Sign(minute: $0, of: span) } }
        signs.sort { $0.begin < $1.begin }
        var result: [Anomaly] = []
        var quietSince = from.microseconds
        for sign in signs + [Sign(presence: to..<to)] {
            var begin = sign.begin
            if let (minute, span) = sign.minute, sign.end - quietSince > threshold {
                begin = try repository.steps(of: locationId, in: span, minute: minute).first?.time ?? begin
            }
            begin = min(begin, to.microseconds)
            if begin - quietSince > threshold {
                let quiet = Timestamp(microseconds: quietSince)..<Timestamp(microseconds: begin)
                result += open.map { $0.clamped(to: quiet) }.filter { $0.length > threshold }
                    .map(Anomaly.silence)
            }
            quietSince = max(quietSince, sign.end)
        }
        return result
    }

    /// The single entries of a minute, where its sums do not suffice; nil where they do.
    private func steps(
        in minute: MinuteRollup, of span: HistorySpan, _ locationId: Identifier, sweep: LevelSweep
    ) throws(Repository.Failure) -> [LevelStep]? {
        guard sweep.needsSteps(of: minute) else { return nil }
        return try repository.steps(of: locationId, in: span, minute: minute)
            .filter { (sweep.from.microseconds..<sweep.to.microseconds).contains($0.time) }
    }
}

/// Adds up entries and corrections.
private struct FlowCount {
    private var hours = FlowSlots()
    private var bars = FlowSlots()

    /// Adds a minute or, where `steps` is given, only those rows of it.
    mutating func add(_ minute: MinuteRollup, _ steps: [LevelStep]?, to kpis: inout KPIs) {
        let sums = steps.map { MinuteRollup(minute: minute.minute, of: $0) } ?? minute
        kpis.correctedUp += sums.correctedUp
        kpis.correctedDown += sums.correctedDown
        kpis.totalIn += sums.ins
        kpis.totalOut += sums.outs
        hours.add(sums.ins, sums.outs, at: minute.start, to: &kpis.hours)
        bars.add(sums.ins, sums.outs, at: minute.start, to: &kpis.bars)
    }
}

/// Adds flows to the slot that they are in; they come in order of time.
private struct FlowSlots {
    private var index = 0

    mutating func add(_ ins: Int, _ outs: Int, at minute: Int64, to flows: inout [Flow]) {
        guard !flows.isEmpty else { return }
        while index + 1 < flows.count, flows[index + 1].start.startOfMinute.microseconds <= minute {
            index += 1
        }
        flows[index].totalIn += ins
        flows[index].totalOut += outs
    }
}

/// A time during which the location was connected or had events.
private struct Sign {
    /// For a minute, its start; the time of its first entry is read only where it matters.
    let begin: Int64
    let end: Int64
    let minute: (MinuteRollup, of: HistorySpan)?

    init(presence: Range<Timestamp>) {
        (begin, end) = (presence.lowerBound.microseconds, presence.upperBound.microseconds)
        minute = nil
    }

    init(minute: MinuteRollup, of span: HistorySpan) {
        (begin, end) = (minute.start, minute.last)
        self.minute = (minute, span)
    }
}
