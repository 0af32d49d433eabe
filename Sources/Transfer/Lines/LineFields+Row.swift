import CounterModel

/// Rows of other journals, as `FeedLine` writes them.
extension LineMembers {
    /// What the journal is asked in order to have the row that the line tells of.
    func row() throws(Unusable) -> Request {
        let told = RowIdentity(
            journalId: try required("journal"), position: try position("position") ?? .start)
        let origin = RowOrigin(
            identity: try origin() ?? told,
            receivedAt: try requiredTime("receivedAt"),
            lateAfter: try reference("lateAfter", from: told.journalId),
            target: try reference("target", from: told.journalId))
        guard origin.identity.position > .start else { throw Unusable(why: "position is 1 or more") }
        return Request(
            locationId: try required("locationId"), userId: try word("userId"),
            timestamp: try requiredTime("timestamp"), change: try change(target: origin.target),
            origin: origin)
    }

    /// Where the row stands in the journal that it comes from; `nil` where that is the one that tells it.
    private func origin() throws(Unusable) -> RowIdentity? {
        guard let journalId = try word("originJournal") else { return nil }
        return RowIdentity(
            journalId: journalId, position: Position(Int64(try requiredNumber("originPosition"))))
    }

    private func reference(_ name: String, from journalId: String) throws(Unusable) -> RowIdentity? {
        guard let position = try position(name) else { return nil }
        return RowIdentity(journalId: try word(name + "Journal") ?? journalId, position: position)
    }

    private func position(_ name: String) throws(Unusable) -> Position? {
        guard let number = try number(name) else { return nil }
        guard number >= 0 else { throw Unusable(why: "\(name) is 0 or more") }
        return Position(Int64(number))
    }

    private func change(target: RowIdentity?) throws(Unusable) -> Change {
        switch try required("type") {
        case "void":
            guard let target else { throw Unusable(why: "target is missing") }
            return .void(target.position)
        case "reset":
            return .reset(NewReset(to: try requiredNumber("value"), deviceId: try word("deviceId")))
        case "endOfDay": return .endOfDay(try snapshot())
        case "setting": return .setting(try setting())
        default: return .entry(try entry())
        }
    }

    private func entry() throws(Unusable) -> NewEntry {
        let source = try required("source")
        guard let source = EventSource(rawValue: source) else {
            throw Unusable(why: "source is hardware, manual or import, not '\(source)'")
        }
        return NewEntry(
            type: try entryType(), deviceId: try required("deviceId"), source: source,
            sequenceNumber: try number("sequenceNumber"),
            continuesHold: text("continuesHold") == "true", reason: text("reason"))
    }

    private func setting() throws(Unusable) -> LocationSetting {
        let name = try required("setting")
        guard let property = LocationSetting.Name(rawValue: name),
            let setting = LocationSetting(property, text: text("text"))
        else { throw Unusable(why: "setting '\(name)' is unknown, or cannot be so") }
        return setting
    }

    private func snapshot() throws(Unusable) -> DaySnapshot {
        var peak: DaySnapshot.PeakHour?
        if let start = try time("peakStart") {
            peak = DaySnapshot.PeakHour(start: start, totalIn: try requiredNumber("peakIn"))
        }
        return DaySnapshot(
            from: try requiredTime("from"), to: try requiredTime("to"),
            finalLevel: try requiredNumber("finalLevel"), totalIn: try requiredNumber("totalIn"),
            totalOut: try requiredNumber("totalOut"), peakHour: peak,
            highestLevel: try requiredNumber("highestLevel"),
            averageOccupancy: text("averageOccupancy").flatMap { Double($0) })
    }
}
