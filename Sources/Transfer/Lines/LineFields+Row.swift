import CounterModel

/// Rows of other journals, as `FeedLine` writes them.
extension LineFields {
    /// Whether the line is a row of another journal, as written by `listen --json`.
    var isRow: Bool { self[.journal] != nil && self[.position] != nil }

    /// Whether the line, of `listen --json`, tells of something that a journal derives from its rows.
    var isNoRow: Bool {
        word(.type).map([FeedLine.timerEnd, FeedLine.targetReachedType].contains) ?? false
            && self[.journal] == nil
    }

    /// The line's row.
    func row() throws(LineError) -> JournalRow {
        let told = RowIdentity(
            journalId: try required(.journal), position: try position(.position) ?? .start)
        let origin = try origin() ?? told
        let receivedAt = try requiredTime(.receivedAt)
        let lateAfter = try reference(.lateAfter, in: .lateAfterJournal, from: told.journalId)
        let target = try reference(.target, in: .targetJournal, from: told.journalId)
        guard origin.position > .start else { throw LineError(why: "position is 1 or more") }
        let row = JournalRow(
            id: told.position, origin: .journal(origin), locationId: try requiredId(.locationId),
            userId: self[.userId], timestamp: try requiredTime(.timestamp), receivedAt: receivedAt,
            lateAfter: lateAfter, try content(target: target))
        return try row.checked()
    }

    /// The row's identity in the journal where it was first appended; `nil` where that is the sender.
    private func origin() throws(LineError) -> RowIdentity? {
        guard let journalId = self[.originJournal] else { return nil }
        return RowIdentity(
            journalId: journalId, position: Position(Int64(try requiredNumber(.originPosition))))
    }

    private func reference(
        _ column: LineColumn, in journal: LineColumn, from journalId: String
    ) throws(LineError) -> RowIdentity? {
        guard let position = try position(column) else { return nil }
        return RowIdentity(journalId: self[journal] ?? journalId, position: position)
    }

    private func position(_ column: LineColumn) throws(LineError) -> Position? {
        guard let number = try number(column) else { return nil }
        guard number >= 0 else { throw LineError(why: "\(column.rawValue) is 0 or more") }
        return Position(Int64(number))
    }

    private func content(target: RowIdentity?) throws(LineError) -> RowContent {
        switch try required(.type) {
        case "void":
            guard let target else { throw LineError(why: "target is missing") }
            return .void(target.position, of: target.journalId)
        case "reset": return .reset(Reset(to: try requiredNumber(.value), deviceId: id(.deviceId)))
        case "correction":
            return .correction(
                Correction(
                    by: try requiredNumber(.delta), deviceId: try requiredId(.deviceId), reason: self[.reason]
                ))
        case "endOfDay": return .endOfDay(try snapshot())
        case "setting": return .setting(try setting())
        case "timerEvent":
            let text = try required(.text)
            guard TimerRowContent.admits(text) else { throw LineError(why: "text is no event of a timer") }
            return .timerEvent(text)
        default: return .entry(try entry())
        }
    }

    private func entry() throws(LineError) -> Entry {
        let name = try required(.source)
        guard let source = EventSource(rawValue: name) else {
            throw LineError(why: "source is hardware, manual or import, not '\(name)'")
        }
        return Entry(
            try entryType(of: "in or out"), deviceId: try requiredId(.deviceId), source: source,
            sequenceNumber: try number(.sequenceNumber), continuesHold: try flag(.continuesHold),
            reason: self[.reason])
    }

    private func setting() throws(LineError) -> LocationSetting {
        let name = try required(.setting)
        guard let setting = LocationSetting(named: name, text: self[.text]) else {
            throw LineError(why: "setting '\(name)' is unknown, or cannot be so")
        }
        return setting
    }

    private func snapshot() throws(LineError) -> DaySnapshot {
        var peak: DaySnapshot.PeakHour?
        if let start = try time(.peakStart) {
            peak = DaySnapshot.PeakHour(start: start, totalIn: try requiredNumber(.peakIn))
        }
        return DaySnapshot(
            from: try requiredTime(.from), to: try requiredTime(.to),
            finalLevel: try requiredNumber(.finalLevel), totalIn: try requiredNumber(.totalIn),
            totalOut: try requiredNumber(.totalOut), peakHour: peak,
            highestLevel: try requiredNumber(.highestLevel),
            averageOccupancy: try fraction(.averageOccupancy), isAutomatic: try flag(.isAutomatic))
    }
}
