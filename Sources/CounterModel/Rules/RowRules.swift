import Linux

/// The checks before a request is appended to a journal, whichever way it arrives.
///
/// A row of another journal was checked there, by another clock, another version, and other time zones. Here it is refused only if
/// this journal could not store it or a terminal could not show it: what one journal has accepted, every journal accepts.
package enum RowRules {
    /// What is wrong with a request; nil where nothing is.
    package static func problem(with request: Request) -> RowProblem? {
        problem(with: request.timestamp, as: "timestamp")
            ?? problem(withText: request.locationId.text, as: "locationId")
            ?? problem(withText: request.userId, as: "userId")
            ?? request.origin.map { problem(with: $0) ?? problem(withStored: request.change) }
            ?? problem(withNew: request.change)
    }

    /// What is wrong with a device's event; nil where nothing is.
    package static func problem(with event: DeviceEvent) -> RowProblem? {
        problem(with: event.timestamp, as: "timestamp") ?? problem(
            withText: event.locationId?.text, as: "locationId")
            ?? problem(withDevice: event.deviceId)
    }

    private static func problem(with origin: RowOrigin) -> RowProblem? {
        problem(with: origin.receivedAt, as: "receivedAt")
            ?? problem(withText: origin.identity.journalId, as: "journal")
            ?? problem(withText: origin.lateAfter?.journalId, as: "lateAfterJournal")
            ?? problem(withText: origin.target?.journalId, as: "targetJournal")
    }

    private static func problem(withNew change: Change) -> RowProblem? {
        switch change {
        case .entry(let entry), .entries(let entry, _):
            problem(withDevice: entry.deviceId) ?? problem(withReason: entry.reason)
        case .correction(let correction):
            problem(withDevice: correction.deviceId) ?? problem(withReason: correction.reason)
                ?? problem(with: correction.amount)
        case .reset(let reset): problem(withDevice: reset.deviceId)
        case .setting, .endOfDay, .timerEvent, .void, .voidPress, .undo: problem(withStored: change)
        }
    }

    /// What no journal can have stored.
    private static func problem(withStored change: Change) -> RowProblem? {
        switch change {
        case .entry(let entry), .entries(let entry, _):
            problem(withText: entry.deviceId.text, as: "deviceId")
                ?? problem(withText: entry.reason, as: "reason")
        case .correction(let correction):
            problem(withText: correction.deviceId.text, as: "deviceId")
                ?? problem(withText: correction.reason, as: "reason") ?? problem(with: correction.amount)
        case .reset(let reset): problem(withText: reset.deviceId?.text, as: "deviceId")
        case .setting(let setting): setting.isValid ? problem(withText: setting.text, as: "text") : .range
        case .endOfDay(let snapshot): snapshot.isStorable ? nil : .snapshot
        case .timerEvent(let text): problem(withText: text, as: "text")
        case .void, .voidPress, .undo: nil
        }
    }

    private static func problem(with amount: NewCorrection.Amount) -> RowProblem? {
        guard case .by(let difference) = amount, !NewCorrection.admits(difference) else { return nil }
        return .difference
    }

    private static func problem(withReason reason: String?) -> RowProblem? {
        reason.map(ReasonRule.admits) ?? true ? nil : .reason
    }

    private static func problem(with time: Timestamp, as column: String) -> RowProblem? {
        Timestamp.journalTimes.contains(time) ? nil : .time(column: column)
    }

    private static func problem(withText id: String?, as column: String) -> RowProblem? {
        id?.holdsControlCharacter ?? false ? .control(column: column) : nil
    }

    private static func problem(withDevice id: Identifier?) -> RowProblem? {
        id.map { DeviceIdRule.admits($0.text) } ?? true ? nil : .deviceId
    }
}

/// What is wrong with a row.
package enum RowProblem: Hashable, Sendable, CustomStringConvertible {
    /// A time is before the year 0 or after 9999.
    case time(column: String)
    /// A text that is stored contains a control character.
    case control(column: String)
    /// See ``DeviceIdRule``.
    case deviceId
    /// See ``ReasonRule``.
    case reason
    /// See ``NewCorrection/largest``.
    case difference
    /// A setting is out of its range.
    case range
    /// A figure of an ended day is none that a journal can have.
    case snapshot

    /// The problem on one line. The caller puts the row's name in front of it.
    package var description: String {
        switch self {
        case .time(let column): "\(column) is not in the years 0 to 9999"
        case .control(let column): "\(column) holds a control character"
        case .deviceId: "deviceId \(DeviceIdRule.text)"
        case .reason: ReasonRule.text
        case .difference: "a correction is \(NewCorrection.range), up or down"
        case .range: "no location can have this setting"
        case .snapshot: "no day can have ended with these figures"
        }
    }
}

extension DaySnapshot {
    /// Whether a journal can store it. Its figures may contradict one another: a clock that is set while a day is counted puts the
    /// peak hour after the end, and the level of another journal above the highest of this one.
    fileprivate var isStorable: Bool {
        [from, to, peakHour?.start ?? from].allSatisfy(Timestamp.journalTimes.contains)
            && totalIn >= 0 && totalOut >= 0 && peakHour?.totalIn ?? 1 >= 1
            && averageOccupancy?.magnitude ?? 0 <= 0x1p63
    }
}
