/// Computes the KPIs of a range of a location's history.
package struct AnalyticsService {
    /// The signs of life of a location in the whole days of a range: so the range shows the silences that the days show. `range` is from
    /// the start of the first day, or from the first sign of the location, up to the end of the last day or the present. `presence`
    /// is when a device that counts into the location was connected, in any order; the times may overlap.
    package typealias SignData = (
        range: Range<Timestamp>, segments: [HistorySegment], presence: [Range<Timestamp>]
    )

    private let range: Range<Timestamp>
    /// The segments that overlap the range, 1 or more in order of time; empty where there is no such location. The first begins at
    /// the start of the range, and the sums of its minute cover the whole minute. Minutes that begin at the end or later are left
    /// out.
    private let segments: [HistorySegment]
    /// All of them, in the order in which they were set.
    private let capacities: [CapacityChange]
    /// Those of single events: sequence gaps, restarted sequence numbers, clocks that are ahead.
    private let anomalies: [Anomaly]
    /// What silence is judged by; nil where none can be.
    private let signs: SignData?
    /// By how much ends of days of files moved the level up and down in the range. To the segments they are corrections.
    private let ends: (up: Int, down: Int)
    /// Reads the entries behind one minute of a segment, in the order in which they count.
    private let entries: (HistorySegment, MinuteRollup) throws -> [LevelStep]

    package init(
        of range: Range<Timestamp>, segments: [HistorySegment], capacities: [CapacityChange],
        anomalies: [Anomaly] = [], signs: SignData? = nil, ends: (up: Int, down: Int) = (0, 0),
        entries: @escaping (HistorySegment, MinuteRollup) throws -> [LevelStep]
    ) {
        (self.range, self.segments, self.capacities) = (range, segments, capacities)
        (self.anomalies, self.signs, self.ends, self.entries) = (anomalies, signs, ends, entries)
    }

    /// The KPIs of the range; all zeros where there is no such location. The starts of its `hours` and `bars` ascend; there is at
    /// least one, and all but the first are starts of minutes. `silence` is the longest time without events or presence that is
    /// no anomaly, in microseconds.
    package func kpis(
        hours: [Timestamp], bars: [Timestamp], open: OpenTimes, silence: Int64
    ) throws -> KPIs {
        func flows(_ starts: [Timestamp]) -> [Flow] { starts.map { Flow(start: $0) } }
        var kpis = KPIs(from: range.start, to: range.end, hours: flows(hours), bars: flows(bars))
        var sweep = LevelSweep(through: range, capacities: capacities, open: open.hours)
        var (hourSlots, barSlots) = (FlowSlots(), FlowSlots())
        for (index, segment) in segments.enumerated() {
            let next = index + 1 < segments.count ? segments[index + 1].begin : range.end
            sweep.begin(segment, until: next)
            for minute in segment.minutes {
                let needsSteps = sweep.needsSteps(of: minute)
                let steps = needsSteps ? try entries(segment, minute).filter(isInRange) : nil
                let sums = steps.map { MinuteRollup(minute: minute.minute, of: $0) } ?? minute
                kpis.correctedUp += sums.correctedUp
                kpis.correctedDown += sums.correctedDown
                kpis.totalIn += sums.ins
                kpis.totalOut += sums.outs
                hourSlots.add(sums, to: &kpis.hours)
                barSlots.add(sums, to: &kpis.bars)
                sweep.add(minute, steps)
            }
            sweep.end()
        }
        sweep.conclude(&kpis)
        kpis.correctedUp -= ends.up
        kpis.correctedDown -= ends.down
        kpis.anomalies += anomalies
        if let signs { kpis.anomalies += try silences(longerThan: .microseconds(silence), signs, open) }
        kpis.anomalies.sort { $0.range.start < $1.range.start }
        return kpis
    }

    /// The times longer than the threshold without an event and without a connected device, as far as the location is open; of
    /// each the part in the range.
    private func silences(longerThan threshold: Duration, _ data: SignData, _ open: OpenTimes) throws
        -> [Anomaly]
    {
        let to = data.range.end
        let events = try data.segments.flatMap { segment in
            try segment.minutes.compactMap { try event(in: $0, segment) }
        }
        let open = open.ranges(in: data.range, events: events)
        let presence = data.presence.map { Sign(begin: $0.start, end: $0.end) }
        var result: [Anomaly] = []
        var quietSince = data.range.start
        for sign in (events + presence).sorted(by: { $0.begin < $1.begin }) + [Sign(begin: to, end: to)] {
            var begin = sign.begin
            if let (minute, segment) = sign.minute, sign.end - quietSince > threshold {
                let first = try entries(segment, minute).first { !$0.isCorrection }
                begin = first.map { Timestamp(microseconds: $0.time) } ?? begin
            }
            begin = min(begin, to)
            if begin - quietSince > threshold {
                result += open.map { $0.clamped(to: quietSince..<begin) }.filter { $0.duration > threshold }
                    .map { $0.clamped(to: range) }.filter { !$0.isEmpty }.map(Anomaly.silence)
            }
            quietSince = max(quietSince, sign.end)
        }
        return result
    }

    /// The events of a minute; nil where it has none. A correction is none.
    private func event(in minute: MinuteRollup, _ segment: HistorySegment) throws -> Sign? {
        if minute.ins + minute.outs == 0 { return nil }
        let hasCorrections = minute.correctedUp + minute.correctedDown > 0
        let last = hasCorrections ? try entries(segment, minute).last { !$0.isCorrection }?.time : nil
        return Sign(
            begin: Timestamp(microseconds: minute.start), end: Timestamp(microseconds: last ?? minute.last),
            minute: (minute, segment))
    }

    private func isInRange(_ step: LevelStep) -> Bool { range.contains(Timestamp(microseconds: step.time)) }
}

/// Adds flows to the slot that they are in; they come in order of time.
private struct FlowSlots {
    private var index = 0

    mutating func add(_ minute: MinuteRollup, to flows: inout [Flow]) {
        guard !flows.isEmpty else { return }
        while index + 1 < flows.count, flows[index + 1].start.startOfMinute.microseconds <= minute.start {
            index += 1
        }
        flows[index].totalIn += minute.ins
        flows[index].totalOut += minute.outs
    }
}

/// A time during which the location was connected or had events.
private struct Sign {
    /// For a minute, its start; the time of its first entry is read only where it matters.
    let begin, end: Timestamp
    var minute: (MinuteRollup, of: HistorySegment)?
}

/// When a location is open: when its silence is judged, and its average is taken.
package struct OpenTimes: Sendable {
    package static let always = OpenTimes(hours: nil, days: nil)

    /// Its opening hours of the days: in order, without overlaps. Without them it is open each day from its first event to its last, and
    /// averages are of the whole time.
    let hours: [Range<Timestamp>]?
    /// In order, without overlaps; nil for always.
    private let days: [Range<Timestamp>]?
}

extension OpenTimes {
    /// When a location is open in the days that overlap a range.
    package init(of location: Location, in range: Range<Timestamp>, _ calendar: OperationalCalendar) {
        let days = calendar.days(in: range).map { $0.start..<$0.end }
        self.days = days
        guard let hours = location.openingHours, let first = days.first, let last = days.last else {
            self.hours = nil
            return
        }
        self.hours = hours.openings(in: first.lowerBound..<last.upperBound, calendar.zone)
    }

    /// From the start of the first day, or of the range, to the end of the last.
    package func days(of range: Range<Timestamp>) -> Range<Timestamp> {
        (days ?? []).reduce(range) { min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound) }
    }

    /// The times within a range, in order, without overlaps; `events` are in any order.
    fileprivate func ranges(in range: Range<Timestamp>, events: [Sign]) -> [Range<Timestamp>] {
        let open = hours ?? days.map { Self.eventful($0, events) }
        return open?.map { $0.clamped(to: range) } ?? [range]
    }

    /// Each day from its first event to its last, without the days that have none.
    private static func eventful(_ days: [Range<Timestamp>], _ events: [Sign]) -> [Range<Timestamp>] {
        var result: [Range<Timestamp>] = []
        var day = 0
        for event in events.sorted(by: { $0.begin < $1.begin }) {
            let first = event.begin
            while day < days.count, days[day].upperBound <= first { day += 1 }
            guard day < days.count, days[day].lowerBound <= first else { continue }
            let last = max(first, event.end)
            if let open = result.last, open.lowerBound >= days[day].lowerBound {
                result[result.count - 1] = open.lowerBound..<max(open.upperBound, last)
            } else {
                result.append(first..<last)
            }
        }
        return result
    }
}
