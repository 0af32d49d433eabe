import Linux

/// The checks before a row is appended to a journal, whichever way it arrives.
///
/// A row of another journal was checked there, by another clock, another version, and other time zones. Here it is refused only if
/// this journal could not store it or a terminal could not show it: what one journal has accepted, every journal accepts.
package enum RowRules {
    /// What is wrong with a row, on one line; nil where nothing is. The caller puts the row's name in front of it.
    package static func problem(with row: JournalRow) -> String? {
        let common =
            problem(with: row.timestamp, as: "timestamp")
            ?? problem(withText: row.locationId?.text, as: "locationId")
            ?? problem(withText: row.userId, as: "userId")
        guard case .journal(let identity) = row.origin else { return common ?? problem(withNew: row.content) }
        return common ?? problem(with: row.receivedAt, as: "receivedAt")
            ?? problem(with: row.orderedAt, as: "orderedAt")
            ?? (row.orderedAt < row.countedAt ? "orderedAt is before the time at which it counts" : nil)
            ?? problem(withText: identity.journalId, as: "journal") ?? problem(withStored: row.content)
    }

    private static func problem(withNew content: RowContent) -> String? {
        switch content {
        case .entry(let entry): problem(withDevice: entry.deviceId) ?? problem(withReason: entry.reason)
        case .correction(let correction):
            problem(withDevice: correction.deviceId) ?? problem(withReason: correction.reason)
                ?? problem(with: correction)
        case .reset(let reset): problem(withDevice: reset.deviceId)
        default: problem(withStored: content)
        }
    }

    /// What no journal can have stored.
    private static func problem(withStored content: RowContent) -> String? {
        switch content {
        case .entry(let entry):
            problem(withText: entry.deviceId.text, as: "deviceId")
                ?? problem(withText: entry.reason, as: "reason")
        case .correction(let correction):
            problem(withText: correction.deviceId.text, as: "deviceId")
                ?? problem(withText: correction.reason, as: "reason") ?? problem(with: correction)
        case .reset(let reset): problem(withText: reset.deviceId?.text, as: "deviceId")
        case .setting(let setting):
            setting.isValid ? problem(withText: setting.text, as: "text") : Refusal.invalidSetting.reason()
        case .endOfDay(let snapshot, _): problem(with: snapshot)
        case .timerEvent(let text): problem(withText: text, as: "text")
        case .location(let name, let zone):
            problem(withText: zone, as: "timezone") ?? problem(withText: name, as: "name")
        case .device(let id, let setting):
            problem(withText: id.text, as: "deviceId") ?? problem(withText: setting.text, as: "text")
        case .journal(let name): problem(withText: name, as: "name")
        case .sharing(let sharing):
            problem(withText: sharing.worldId, as: "worldId")
                ?? problem(withText: sharing.machine, as: "name")
        case .reading(let id, let text):
            problem(withText: id.text, as: "deviceId") ?? problem(withText: text, as: "text")
        case .unknown(let content): problem(withText: content.type, as: "type")
        case .void(_, let journalId): problem(withText: journalId, as: "targetJournal")
        case .clock(let mend):
            problem(withText: mend.journalId, as: "targetJournal") ?? problem(with: mend.change)
        }
    }

    private static func problem(with change: ClockMend.Change) -> String? {
        switch change {
        case .latest(let time): problem(with: time, as: "latest")
        case .by(let step):
            -ClockMend.farthest.microseconds...ClockMend.farthest.microseconds ~= step.microseconds
                ? nil : "a clock is set by 100 years at most"
        }
    }

    private static func problem(with correction: Correction) -> String? {
        guard correction.isAdmitted else { return Refusal.tooLarge.reason() }
        return correction.endedDay.flatMap { problem(with: $0) }
    }

    private static func problem(with snapshot: DaySnapshot) -> String? {
        snapshot.isStorable ? nil : "no day can have ended with these figures"
    }

    private static func problem(withReason reason: String?) -> String? {
        reason.map(ReasonRule.admits) ?? true ? nil : ReasonRule.text
    }

    package static func problem(with time: Timestamp, as column: String) -> String? {
        Timestamp.journalTimes.contains(time) ? nil : "\(column) is not in the years 0 to 9999"
    }

    package static func problem(withText text: String?, as column: String) -> String? {
        text?.holdsControlCharacter ?? false ? "\(column) holds a control character" : nil
    }

    private static func problem(withDevice id: Identifier?) -> String? {
        id.map { DeviceIdRule.admits($0.text) } ?? true ? nil : "deviceId \(DeviceIdRule.text)"
    }
}

extension DaySnapshot {
    /// Whether a journal can store it. Its figures may contradict one another: a clock that is set while a day is counted puts the
    /// peak hour after the end, and the level of another journal above the highest of this one.
    fileprivate var isStorable: Bool {
        [from, to, peakHour?.start ?? from].allSatisfy(Timestamp.journalTimes.contains) && totalIn >= 0
            && totalOut >= 0 && peakHour?.totalIn ?? 1 >= 1 && averageOccupancy?.magnitude ?? 0 <= 0x1p63
    }
}

// MARK: - Changes by hand

/// The rule for a change by hand, counts and corrections alike, which is made as a whole or not at all.
package enum ManualChangeRule {
    /// Why the level may not move by a difference (negative for out), by the location's capacity and `admitsOverFull`; nil where it
    /// may. A tally is limited by the range of `Int` only.
    package static func refusal(of difference: Int, at level: Int, of location: Location) -> Refusal? {
        let (sum, overflow) = level.addingReportingOverflow(difference)
        if overflow { return .overflow }
        guard let capacity = location.maxCapacity else { return nil }
        if difference < 0 { return sum < 0 ? .empty(inside: max(0, level)) : nil }
        guard sum > capacity, !location.admitsOverFull else { return nil }
        return .full(room: max(0, Int(clamping: Int128(capacity) - Int128(level))))
    }
}
