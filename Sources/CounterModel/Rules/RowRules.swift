/// What a row has to be like to come into a journal, whatever it comes by: one place for all ways.
public struct RowRules: Sendable {
    private let isZone: @Sendable (String) -> Bool

    /// - parameter isZone: Whether the system knows a time zone of that name.
    public init(isZone: @escaping @Sendable (String) -> Bool) { self.isZone = isZone }

    /// What is wrong with a request; nil where nothing is.
    public func problem(with request: Request) -> RowProblem? {
        let times = [
            ("timestamp", request.timestamp), ("receivedAt", request.origin?.receivedAt ?? request.timestamp),
        ]
        if let column = times.first(where: { !Timestamp.journalTimes.contains($0.1) })?.0 {
            return .time(column: column)
        }
        let ids = [("locationId", request.locationId), ("userId", request.userId)] + journals(request)
        return ids.lazy.compactMap(problem(withId:)).first ?? problem(with: request.change)
    }

    /// What is wrong with the event of a device; nil where nothing is.
    public func problem(with event: DeviceEvent) -> RowProblem? {
        guard Timestamp.journalTimes.contains(event.timestamp) else { return .time(column: "timestamp") }
        return problem(withId: ("locationId", event.locationId)) ?? problem(withDevice: event.deviceId)
    }

    private func journals(_ request: Request) -> [(String, String?)] {
        guard let origin = request.origin else { return [] }
        return [
            ("journal", origin.identity.journalId), ("lateAfterJournal", origin.lateAfter?.journalId),
            ("targetJournal", origin.target?.journalId),
        ]
    }

    private func problem(with change: Change) -> RowProblem? {
        switch change {
        case .entry(let entry), .correction(let entry, _):
            problem(withDevice: entry.deviceId)
                ?? (entry.reason.map(ReasonRule.admits) ?? true ? nil : .reason)
        case .reset(let reset): problem(withDevice: reset.deviceId)
        case .setting(let setting): problem(with: setting)
        case .endOfDay(let snapshot): snapshot.isInOrder ? nil : .snapshot
        case .void, .undo: nil
        }
    }

    /// What is wrong with a setting of a location; nil where nothing is.
    public func problem(with setting: LocationSetting) -> RowProblem? {
        switch setting {
        case .timezone(let name): isZone(name) ? nil : .zone(name)
        case .name(let name): NameRule.admits(name) ? nil : .name
        case .capacity, .dayStart, .admitsOverFull, .isHidden: setting.isValid ? nil : .range
        }
    }

    private func problem(withId id: (column: String, text: String?)) -> RowProblem? {
        id.text?.holdsControlCharacter ?? false ? .control(column: id.column) : nil
    }

    private func problem(withDevice id: String?) -> RowProblem? {
        id.map(DeviceIdRule.admits) ?? true ? nil : .deviceId
    }
}

/// What is wrong with a row.
public enum RowProblem: Hashable, Sendable, CustomStringConvertible {
    /// A time is before the year 0 or after 9999.
    case time(column: String)
    /// An id holds a control character.
    case control(column: String)
    /// See ``DeviceIdRule``.
    case deviceId
    /// See ``ReasonRule``.
    case reason
    /// See ``NameRule``.
    case name
    /// The system knows no such time zone.
    case zone(String)
    /// A capacity or an hour is out of its range.
    case range
    /// The figures of an ended day contradict one another, or are no numbers.
    case snapshot

    /// On one line, to follow what names the row.
    public var description: String {
        switch self {
        case .time(let column): "\(column) is not in the years 0 to 9999"
        case .control(let column): "\(column) holds a control character"
        case .deviceId: "deviceId \(DeviceIdRule.text)"
        case .reason: ReasonRule.text
        case .name: NameRule.text
        case .zone(let name): "there is no time zone '\(name)' here"
        case .range: "no location can have this setting"
        case .snapshot: "the figures of the ended day are out of order"
        }
    }
}

extension DaySnapshot {
    /// Whether its times follow one another, nothing is negative that is counted, and the average is a number.
    var isInOrder: Bool {
        let hour: Int64 = 3_600_000_000
        let isPeakWithin = peakHour.map { peak in
            // The hour of the peak may have begun before the day did.
            peak.totalIn >= 1 && peak.start <= to && peak.start.microseconds > from.microseconds - hour
        }
        let isTold = [from, to, peakHour?.start ?? from].allSatisfy(Timestamp.journalTimes.contains)
        return isTold && from <= to && totalIn >= 0 && totalOut >= 0 && isPeakWithin ?? true
            && averageOccupancy?.isFinite ?? true
    }
}
