/// The checks that every row passes before it is appended to a journal, whichever way it arrives.
public struct RowRules: Sendable {
    private let isZone: @Sendable (String) -> Bool

    /// - parameter isZone: Whether the system has a time zone of that name.
    public init(isZone: @escaping @Sendable (String) -> Bool) { self.isZone = isZone }

    /// What is wrong with a request; nil where nothing is.
    public func problem(with request: Request) -> RowProblem? {
        problem(with: request.timestamp, as: "timestamp") ?? problem(
            withId: request.locationId, as: "locationId")
            ?? problem(withId: request.userId, as: "userId") ?? request.origin.flatMap(problem)
            ?? problem(with: request.change)
    }

    /// What is wrong with a device's event; nil where nothing is.
    public func problem(with event: DeviceEvent) -> RowProblem? {
        problem(with: event.timestamp, as: "timestamp") ?? problem(withId: event.locationId, as: "locationId")
            ?? problem(withDevice: event.deviceId)
    }

    private func problem(with origin: RowOrigin) -> RowProblem? {
        problem(with: origin.receivedAt, as: "receivedAt")
            ?? problem(withId: origin.identity.journalId, as: "journal")
            ?? problem(withId: origin.lateAfter?.journalId, as: "lateAfterJournal")
            ?? problem(withId: origin.target?.journalId, as: "targetJournal")
    }

    private func problem(with change: Change) -> RowProblem? {
        switch change {
        case .entry(let entry), .entries(let entry, _):
            problem(withDevice: entry.deviceId) ?? problem(withReason: entry.reason)
        case .correction(let correction): problem(with: correction)
        case .reset(let reset): problem(withDevice: reset.deviceId)
        case .setting(let setting): problem(with: setting)
        case .endOfDay(let snapshot): snapshot.isInOrder ? nil : .snapshot
        case .timerEvent(let text): problem(withId: text, as: "text")
        case .void, .voidPress, .undo: nil
        }
    }

    private func problem(with correction: NewCorrection) -> RowProblem? {
        let isRight =
            switch correction.amount {
            case .by(let difference): NewCorrection.admits(difference)
            case .to: true
            }
        return problem(withDevice: correction.deviceId) ?? problem(withReason: correction.reason)
            ?? (isRight ? nil : .difference)
    }

    private func problem(withReason reason: String?) -> RowProblem? {
        reason.map(ReasonRule.admits) ?? true ? nil : .reason
    }

    /// What is wrong with a setting of a location; nil where nothing is.
    public func problem(with setting: LocationSetting) -> RowProblem? {
        switch setting {
        case .timezone(let name): isZone(name) ? nil : .zone(name)
        case .name(let name), .group(let name?): NameRule.admits(name) ? nil : .name
        case .capacity, .dayStart, .admitsOverFull, .isHidden, .openingHours, .endsDaysAutomatically,
            .group(nil), .key, .target:
            setting.isValid ? nil : .range
        }
    }

    private func problem(with time: Timestamp, as column: String) -> RowProblem? {
        Timestamp.journalTimes.contains(time) ? nil : .time(column: column)
    }

    private func problem(withId id: String?, as column: String) -> RowProblem? {
        id?.holdsControlCharacter ?? false ? .control(column: column) : nil
    }

    private func problem(withDevice id: String?) -> RowProblem? {
        id.map(DeviceIdRule.admits) ?? true ? nil : .deviceId
    }
}

/// What is wrong with a row.
public enum RowProblem: Hashable, Sendable, CustomStringConvertible {
    /// A time is before the year 0 or after 9999.
    case time(column: String)
    /// An id contains a control character.
    case control(column: String)
    /// See ``DeviceIdRule``.
    case deviceId
    /// See ``ReasonRule``.
    case reason
    /// See ``NewCorrection/largest``.
    case difference
    /// See ``NameRule``.
    case name
    /// The system has no such time zone.
    case zone(String)
    /// A capacity or an hour is out of its range.
    case range
    /// The figures of an ended day contradict one another, or are not finite.
    case snapshot

    /// The problem on one line. The caller puts the row's name in front of it.
    public var description: String {
        switch self {
        case .time(let column): "\(column) is not in the years 0 to 9999"
        case .control(let column): "\(column) holds a control character"
        case .deviceId: "deviceId \(DeviceIdRule.text)"
        case .reason: ReasonRule.text
        case .difference: "a correction is \(NewCorrection.range), up or down"
        case .name: NameRule.text
        case .zone(let name): "there is no time zone '\(name)' here"
        case .range: "no location can have this setting"
        case .snapshot: "the figures of the ended day are out of order"
        }
    }
}

extension DaySnapshot {
    /// Whether its times are in order, no count is negative, and the average is one of levels.
    var isInOrder: Bool {
        let hour: Int64 = 3_600_000_000
        let isPeakWithin = peakHour.map { peak in
            // The peak hour may begin up to an hour before the day does.
            1...max(1, totalIn) ~= peak.totalIn && peak.start <= to
                && peak.start.microseconds > from.microseconds - hour
        }
        let isTold = [from, to, peakHour?.start ?? from].allSatisfy(Timestamp.journalTimes.contains)
        return isTold && from <= to && totalIn >= 0 && totalOut >= 0 && isPeakWithin ?? true
            && averageOccupancy.map { $0.magnitude <= 0x1p63 && $0 <= Double(highestLevel) + 1 } ?? true
            && finalLevel <= highestLevel
    }
}
