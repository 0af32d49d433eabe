package import CounterModel
package import Linux

/// Formats a range of a location's history as the texts of the screen.
package struct HistoryTexts {
    /// The longest range, in days, whose dates need no month.
    private static let longestWithoutMonth = 31

    let span: LocationSpan
    let deviceName: (Identifier) -> String
    private let now: Timestamp
    /// Whether times need no date.
    private let isOneDay: Bool
    /// Whether dates show their year: where the range is not entirely in the present year.
    private let datesHaveYear: Bool

    package init(_ span: LocationSpan, now: Timestamp, deviceName: @escaping (Identifier) -> String) {
        (self.span, self.now, self.deviceName) = (span, now, deviceName)
        let (range, calendar) = (span.range, span.calendar)
        isOneDay = calendar.day(containing: range.start).end >= range.end
        let last = range.end - .microseconds(1)
        let years = [range.start, last, now].map { calendar.zone.local(at: $0).date.year }
        datesHaveYear = Set(years).count > 1
    }

    private var range: Range<Timestamp> { span.range }
    private var calendar: OperationalCalendar { span.calendar }
    var flow: FlowWords { FlowWords(capacity: span.location.maxCapacity) }

    package func summary(_ kpis: KPIs) -> HistorySummary {
        HistorySummary(
            title: title, period: period, facts: facts(kpis), bars: bars(kpis),
            anomalies: notes(kpis.anomalies), flow: flow)
    }

    private func notes(_ anomalies: [Anomaly]) -> [HistorySummary.AnomalyNote] {
        anomalies.told(in: calendar) {
            HistorySummary.AnomalyNote($0.mark, text(of: $0))
        } clock: {
            HistorySummary.AnomalyNote(.inconsistent, text(of: $0))
        } silence: {
            HistorySummary.AnomalyNote(
                .silent, "\(date($0.first)) to \(date($0.last)) silent for a time on \($0.count) days")
        }
    }

    private func bars(_ kpis: KPIs) -> [HistoryBar] {
        var bars = [HistoryBar](span.range, kpis)
        for (index, bucket) in bars.map(\.bucket).enumerated() {
            bars[index].label = label(bucket.start, of: bars.count)
            bars[index].isAhead = bucket.start >= kpis.to
            let hours = span.location.openingHours
            bars[index].isClosed = hours?.openings(in: bucket, calendar.zone).isEmpty ?? false
        }
        return bars
    }

    /// The name of a bar, of which there are `count`, by its first moment.
    private func label(_ start: Timestamp, of count: Int) -> String {
        var day: CalendarDate { calendar.day(containing: start).date }
        let time = calendar.zone.local(at: start).timeOfDay
        return switch span.unit {
        case .minute: String(time.prefix("14:05".count))
        case .hour: String(time.prefix("14".count))
        case .week: date(day.monday)
        case .day where count > Self.longestWithoutMonth: date(day)
        case .day: String("\(day)".suffix("21".count))
        }
    }

    private var title: String {
        guard let days = range.wholeDays(in: calendar) else { return "" }
        if days.count > 1 { return "\(days.count) days" }
        let today = calendar.day(containing: now)
        if days[0] == today { return "Today" }
        if days[0] == calendar.day(before: today) { return "Yesterday" }
        return CalendarDate.dayNames[days[0].date.weekday]
    }

    private var period: String {
        if calendar.startHour == 0, let days = range.wholeDays(in: calendar) {
            let (first, last) = ("\(days[0].date)", "\(days[days.count - 1].date)")
            return days.count == 1 ? first : "\(first) to \(last.dropFirst(Self.sharedYear(first, last)))"
        }
        let (from, to) = (calendar.zone.shortText(of: range.start), calendar.zone.shortText(of: range.end))
        return "\(from) to \(to.dropFirst(Self.sharedYear(from, to)))"
    }

    /// How many leading characters of the second date repeat the first one's year.
    private static func sharedYear(_ first: String, _ second: String) -> Int {
        first.prefix(5) == second.prefix(5) ? 5 : 0
    }

    private func facts(_ kpis: KPIs) -> [HistorySummary.Fact] {
        let isCorrected = kpis.correctedUp + kpis.correctedDown != 0
        let isUTC = span.location.zoneNote != nil
        let facts: [(label: String, value: String?)] = [
            (flow.ins, "\(kpis.totalIn)"), (flow.outs, "\(kpis.totalOut)"),
            ("corrected", isCorrected ? "+\(kpis.correctedUp) -\(kpis.correctedDown)" : nil),
            ("net", Self.signed(kpis.net)),
            ("peak hour", kpis.peakHour.map { "\(time($0.start)) (\($0.totalIn))" } ?? "none"),
            ("highest", "\(kpis.highestLevel)"), (span.location.averageName, kpis.averageOccupancy?.tenths),
            ("times", isUTC ? "UTC; \(span.location.timezone) is unknown here".sanitised : nil),
        ]
        return facts.compactMap { label, value in value.map { HistorySummary.Fact(label, $0) } }
    }

    private static func signed(_ number: Int) -> String { number > 0 ? "+\(number)" : "\(number)" }
}

// MARK: - Times

extension HistoryTexts {
    /// `14:03:05`, or `11-21 14:03:05` where the range has more than one day.
    func time(_ moment: Timestamp, withSeconds: Bool = false) -> String {
        let clock = calendar.zone.clock(of: moment, withSeconds: withSeconds)
        return isOneDay ? clock : "\(date(calendar.zone.local(at: moment).date)) \(clock)"
    }

    /// `11-21`, or `2025-11-21` where the year is shown.
    private func date(_ date: CalendarDate) -> String {
        datesHaveYear ? "\(date)" : String("\(date)".suffix("11-21".count))
    }
}

// MARK: Rows

extension HistoryTexts {
    func line(_ row: HistoryRow) -> HistoryLine {
        let (what, origin) = words(row.row.content.shown, by: row.actor)
        return HistoryLine(
            position: row.id, time: time(row.countedAt, withSeconds: true), what: what,
            origin: origin.compactMap(\.self).joined(separator: ", "), void: row.void.map(words))
    }

    private func words(_ void: VoidMark) -> String {
        let at = "at \(time(void.time, withSeconds: true))"
        return void.actor.map { "\($0) \(at)" } ?? at
    }

    private func words(_ content: RowContent, by actor: String?) -> (what: String, origin: [String?]) {
        func quoted(_ reason: String?) -> String? { ReasonRule.mended(reason).map { "\"\($0)\"" } }
        return switch content {
        case .entry(let entry):
            (
                entry.type == .in ? "+1" : "-1",
                [deviceName(entry.deviceId), entry.source.rawValue, actor, quoted(entry.reason)]
            )
        case .correction(let correction):
            (
                "corrected \(correction.words())",
                [deviceName(correction.deviceId), actor, quoted(correction.reason)]
            )
        case .reset(let reset): ("reset to \(reset.value)", [reset.deviceId.map(deviceName), actor])
        case .endOfDay(let snapshot, let levelBefore):
            ("end of day at \(levelBefore)", [snapshot.isAutomatic ? "automatic" : actor])
        case .setting(let setting): (setting.words, [actor])
        case .sharing(let sharing): (sharing.words, [actor])
        case .unknown(let content): (content.words, [actor])
        case .clock(let mend): (mend.described { time($0, withSeconds: true) }, [actor])
        case .void, .timerEvent, .location, .device, .journal, .reading: ("", [actor])
        }
    }
}

// MARK: Anomalies

extension HistoryTexts {
    /// An anomaly as a sentence that begins with its time.
    func text(of anomaly: Anomaly) -> String {
        switch anomaly {
        case .overcrowding(let range, let highest): "\(during(range)) overcrowded, up to \(highest)"
        case .negativeDrift(let range, let lowest): "\(during(range)) more out than in, down to \(lowest)"
        case .silence(let range): "\(during(range)) no events"
        case .sequenceGap(let device, let first, let last, let at):
            "\(time(at)) \(deviceName(device)): "
                + (first == last ? "number \(first) is missing" : "numbers \(first) to \(last) are missing")
        case .restart(let device, _, let at): "\(time(at)) \(deviceName(device)): its numbers started again"
        case .clockSkew(let device, let said, let at): text(of: FastClock(device, said, at: at))
        }
    }

    private func text(of clock: FastClock) -> String {
        let during = during(clock.times.lowerBound, clock.times.upperBound)
        return "\(during) \(deviceName(clock.deviceId)): \(clock.words)"
    }

    private func during(_ range: Range<Timestamp>) -> String {
        range == self.range ? "all the time" : during(range.lowerBound, range.upperBound)
    }

    private func during(_ first: Timestamp, _ last: Timestamp) -> String {
        let (from, to) = (time(first), time(last))
        return from == to ? from : "\(from) to \(to)"
    }
}

/// The events of a device whose clock ran ahead.
struct FastClock {
    let deviceId: Identifier
    private(set) var times: ClosedRange<Timestamp>
    /// How far ahead it was, in seconds.
    private var ahead: ClosedRange<Int>
    private var events = 1

    /// One event, by what the clock said when it came.
    init(_ device: Identifier, _ said: Timestamp, at time: Timestamp) {
        let seconds = said.seconds - time.seconds
        (deviceId, times, ahead) = (device, time...time, seconds...seconds)
    }

    fileprivate mutating func add(_ next: FastClock) {
        times = min(times.lowerBound, next.times.lowerBound)...max(times.upperBound, next.times.upperBound)
        ahead = min(ahead.lowerBound, next.ahead.lowerBound)...max(ahead.upperBound, next.ahead.upperBound)
        events += 1
    }

    /// `clock 7 min to 2 h ahead, 9 events`
    var words: String {
        let least = DurationText.age(seconds: ahead.lowerBound, .card)
        let most = DurationText.age(seconds: ahead.upperBound, .card)
        let range = least == most ? most : "\(least) to \(most)"
        return "clock \(range) ahead, " + (events == 1 ? "1 event" : "\(events) events")
    }
}

extension [Anomaly] {
    typealias SilentDays = (count: Int, first: CalendarDate, last: CalendarDate)

    /// What `text` says of each, `clock` of all events of a device whose clock ran ahead, at the place of the first, and `silence` of
    /// all silences, before the others, where these are on more than three days.
    func told<Line>(
        in calendar: OperationalCalendar, _ text: (Anomaly) -> Line, clock: (FastClock) -> Line,
        silence: (SilentDays) -> Line
    ) -> [Line] {
        let silences = compactMap { if case .silence(let range) = $0 { range } else { nil } }
        let days = Set(silences.flatMap { calendar.days(in: $0).map(\.date) }).sorted()
        guard days.count > 3 else { return told(text, clock: clock) }
        let joined = silence((days.count, days[0], days[days.count - 1]))
        return [joined] + filter { $0.mark != .silent }.told(text, clock: clock)
    }

    private func told<Line>(_ text: (Anomaly) -> Line, clock: (FastClock) -> Line) -> [Line] {
        var clocks: [Identifier: FastClock] = [:]
        for case .clockSkew(let device, let said, let time) in self {
            let next = FastClock(device, said, at: time)
            if clocks[device]?.add(next) == nil { clocks[device] = next }
        }
        return compactMap { anomaly in
            guard case .clockSkew(let device, _, _) = anomaly else { return text(anomaly) }
            return clocks.removeValue(forKey: device).map(clock)
        }
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
}
