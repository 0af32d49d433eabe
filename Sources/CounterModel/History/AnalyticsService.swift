/// What a journal knows of a range of a location's history, of one snapshot.
package struct HistoryData {
    /// The segments that overlap the range, 1 or more in order of time; empty where there is no such location. The first begins at
    /// the start of the range, and the sums of its minute cover the whole minute. Minutes that begin at the end or later are left
    /// out.
    let segments: [HistorySegment]
    /// All capacities of the location, in the order in which they were set.
    let capacities: [CapacityChange]
    /// Those of single events: sequence gaps, restarted sequence numbers, clocks that are ahead.
    let anomalies: [Anomaly]
    /// When the location had its first event or connected device; nil where never.
    let firstSign: Timestamp?
    /// The times at which a device that counts into the location was connected; in any order, may overlap.
    let presence: [Range<Timestamp>]

    package init(
        segments: [HistorySegment], capacities: [CapacityChange], anomalies: [Anomaly], firstSign: Timestamp?,
        presence: [Range<Timestamp>]
    ) {
        (self.segments, self.capacities, self.anomalies) = (segments, capacities, anomalies)
        (self.firstSign, self.presence) = (firstSign, presence)
    }
}

/// Computes the KPIs of a range of a location's history.
package struct AnalyticsService {
    private let range: Range<Timestamp>
    private let data: HistoryData
    /// Reads the entries behind one minute of a segment, in the order in which they count.
    private let entries: (HistorySegment, MinuteRollup) throws -> [LevelStep]

    package init(
        _ data: HistoryData, of range: Range<Timestamp>,
        entries: @escaping (HistorySegment, MinuteRollup) throws -> [LevelStep]
    ) {
        (self.range, self.data, self.entries) = (range, data, entries)
    }

    /// The KPIs of the range; all zeros where there is no such location.
    ///
    /// - parameters:
    ///     - hours: The start of each hour of the range, ascending; at least one. All but the first are starts of minutes.
    ///     - bars: The starts of the bars that a chart or table of the range has, under the same rules.
    ///     - open: When silence is judged, and of which times the average is.
    ///     - silence: The longest time without events or presence that is no anomaly, in microseconds.
    package func kpis(
        hours: [Timestamp], bars: [Timestamp], open: OpenTimes, silence: Int64
    ) throws -> KPIs {
        let (from, to, segments) = (range.start, range.end, data.segments)
        var kpis = KPIs(from: from, to: to, hours: hours.map(Flow.init), bars: bars.map(Flow.init))
        var sweep = LevelSweep(
            from: from, to: to, capacities: data.capacities, open: open.hours(in: range))
        var flow = FlowCount()
        for (index, segment) in segments.enumerated() {
            let next = index + 1 < segments.count ? segments[index + 1].begin : to
            sweep.begin(segment, until: next)
            for minute in segment.minutes {
                let steps = try steps(in: minute, of: segment, sweep: sweep)
                flow.add(minute, steps, to: &kpis)
                sweep.add(minute, steps)
            }
            sweep.end()
        }
        sweep.conclude(&kpis)
        kpis.anomalies += data.anomalies
        // Before the first sign of the location no device was connected, so there is no silence to report.
        if let first = data.firstSign, first < to {
            kpis.anomalies += try silences(longerThan: silence, in: max(from, first)..<to, open)
        }
        kpis.anomalies.sort { $0.start < $1.start }
        return kpis
    }

    /// The times longer than the threshold without an event and without a connected device, as far as the location is open.
    private func silences(
        longerThan threshold: Int64, in range: Range<Timestamp>, _ open: OpenTimes
    ) throws -> [Anomaly] {
        guard range.duration > .microseconds(threshold) else { return [] }
        let (from, to) = (range.start, range.end)
        var signs = data.presence.map { Sign(presence: $0) }
        let open = open.ranges(in: range, events: data.segments.flatMap(\.minutes))
        for segment in data.segments { signs += segment.minutes.map { Sign(minute: $0, of: segment) } }
        signs.sort { $0.begin < $1.begin }
        var result: [Anomaly] = []
        var quietSince = from.microseconds
        for sign in signs + [Sign(presence: to..<to)] {
            var begin = sign.begin
            if let (minute, segment) = sign.minute, sign.end - quietSince > threshold {
                begin = try entries(segment, minute).first?.time ?? begin
            }
            begin = min(begin, to.microseconds)
            if begin - quietSince > threshold {
                let quiet = Timestamp(microseconds: quietSince)..<Timestamp(microseconds: begin)
                result += open.map { $0.clamped(to: quiet) }.filter { $0.duration > .microseconds(threshold) }
                    .map(Anomaly.silence)
            }
            quietSince = max(quietSince, sign.end)
        }
        return result
    }

    /// The single entries of a minute, where its sums do not suffice; nil where they do.
    private func steps(
        in minute: MinuteRollup, of segment: HistorySegment, sweep: LevelSweep
    ) throws -> [LevelStep]? {
        guard sweep.needsSteps(of: minute) else { return nil }
        return try entries(segment, minute)
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
    let minute: (MinuteRollup, of: HistorySegment)?

    init(presence: Range<Timestamp>) {
        (begin, end) = (presence.lowerBound.microseconds, presence.upperBound.microseconds)
        minute = nil
    }

    init(minute: MinuteRollup, of segment: HistorySegment) {
        (begin, end) = (minute.start, minute.last)
        self.minute = (minute, segment)
    }
}

/// When the silence of a location is judged.
package enum OpenTimes: Sendable {
    case always
    /// In its opening hours: in order, without overlaps.
    case hours([Range<Timestamp>])
    /// In each of these days from its first event to its last: in order, without overlaps.
    case betweenEvents(days: [Range<Timestamp>])

    /// When the silence of a location is judged within a range: in its opening hours or, without them, each day between its
    /// first event and its last.
    package init(of location: Location, in range: Range<Timestamp>, _ calendar: OperationalCalendar) {
        if let hours = location.openingHours {
            self = .hours(hours.openings(in: range, calendar.zone))
        } else {
            self = .betweenEvents(days: calendar.days(in: range).map { $0.start..<$0.end })
        }
    }

    /// The opening hours within a range, or all of it where they are unknown.
    func hours(in range: Range<Timestamp>) -> [Range<Timestamp>] {
        guard case .hours(let hours) = self else { return [range] }
        return hours.map { $0.clamped(to: range) }
    }

    /// The times within a range, in order, without overlaps; `events` are the minutes with events, in any order.
    func ranges(in range: Range<Timestamp>, events: [MinuteRollup]) -> [Range<Timestamp>] {
        switch self {
        case .always: [range]
        case .hours(let hours): hours.map { $0.clamped(to: range) }
        case .betweenEvents(let days): Self.eventful(days, events).map { $0.clamped(to: range) }
        }
    }

    /// Each day from its first event to its last, without the days that have none.
    private static func eventful(_ days: [Range<Timestamp>], _ events: [MinuteRollup]) -> [Range<Timestamp>] {
        var result: [Range<Timestamp>] = []
        var day = 0
        for event in events.sorted(by: { $0.start < $1.start }) {
            let first = Timestamp(microseconds: event.start)
            while day < days.count, days[day].upperBound <= first { day += 1 }
            guard day < days.count, days[day].lowerBound <= first else { continue }
            let last = max(first, Timestamp(microseconds: event.last))
            if let open = result.last, open.lowerBound >= days[day].lowerBound {
                result[result.count - 1] = open.lowerBound..<max(open.upperBound, last)
            } else {
                result.append(first..<last)
            }
        }
        return result
    }
}
