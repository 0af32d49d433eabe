package import CounterModel
package import CounterStore

/// A row of a journal as one line of JSON: written by `listen --json`, read by `ingest`.
///
/// `position` is the row's position in `journal`, the sender. A row taken over from another journal keeps its identity there
/// in `originJournal` and `originPosition`. The positions `target` and `lateAfter` refer to the originating journal.
package enum FeedLine {
    /// The type of a line that tells that a timer has ended. It is no row.
    package static let timerEnd = "timerEnd"

    /// The line of a row, without a line end; `journalId` is the sending journal.
    package static func text(_ fed: FeedRow, journalId: String) -> String {
        let row = fed.row
        var object = JSONLine()
        object.add("type", row.content.word)
        object.add("timestamp", row.timestamp.iso8601)
        object.add("locationId", row.locationId)
        add(row.content, to: &object)
        object.add("userId", row.userId)
        object.add("receivedAt", row.receivedAt.iso8601)
        if case .void(let target, let other) = row.content {
            add(
                RowIdentity(journalId: other ?? journalId, position: target), as: "target", unless: journalId,
                to: &object)
        }
        add(row.lateAfter, as: "lateAfter", unless: journalId, to: &object)
        object.add("journal", journalId)
        object.add("position", Int(row.id.number))
        if let origin = row.origin?.identity, origin.journalId != journalId {
            object.add("originJournal", origin.journalId)
            object.add("originPosition", Int(origin.position.number))
        }
        object.add("count", fed.count)
        if fed.isOccupancy { object.add("level", fed.level) }
        return object.text
    }

    /// The line that says that a location has reached its target. It is no row of the journal: `ingest` and `import` pass it
    /// over.
    ///
    /// - Parameters:
    ///   - state: The location's state.
    ///   - time: When it was noticed.
    /// - Returns: The line, without a line end.
    package static func targetReached(_ state: CounterState, at time: Timestamp) -> String {
        var object = JSONLine()
        object.add("type", targetReachedType)
        object.add("timestamp", time.iso8601)
        object.add("locationId", state.locationId)
        object.add("targetCount", state.target)
        object.add("count", state.currentCount)
        return object.text
    }

    static let targetReachedType = "targetReached"

    private static func add(
        _ identity: RowIdentity?, as name: String, unless journalId: String, to object: inout JSONLine
    ) {
        guard let identity else { return }
        object.add(name, Int(identity.position.number))
        if identity.journalId != journalId { object.add(name + "Journal", identity.journalId) }
    }

    private static func add(_ content: RowContent, to object: inout JSONLine) {
        switch content {
        case .entry(let entry):
            object.add("delta", entry.type.delta)
            object.add("deviceId", entry.deviceId)
            object.add("source", entry.source.rawValue)
            object.add("sequenceNumber", entry.sequenceNumber)
            if entry.continuesHold { object.add("continuesHold", true) }
            object.add("reason", ReasonRule.mended(entry.reason))
        case .correction(let correction):
            object.add("delta", correction.difference)
            object.add("deviceId", correction.deviceId)
            object.add("source", EventSource.manual.rawValue)
            object.add("reason", ReasonRule.mended(correction.reason))
        case .reset(let reset):
            object.add("value", reset.value)
            object.add("deviceId", reset.deviceId)
        case .endOfDay(let snapshot, _): add(snapshot, to: &object)
        case .setting(let setting):
            object.add("setting", setting.property.name)
            object.add("text", setting.text)
        case .timerEvent(let text): add(timerEvent: text, to: &object)
        case .void: break
        }
    }

    /// What a reader needs who does not read the text.
    private static func add(timerEvent text: String, to object: inout JSONLine) {
        let content = TimerRowContent(text: text)
        object.add("event", content?.event.word)
        object.add("timerId", content?.event.timerId?.description)
        object.add("label", content?.event.setup?.label)
        object.add("seconds", content?.event.setup?.seconds)
        object.add("text", text)
    }

    private static func add(_ snapshot: DaySnapshot, to object: inout JSONLine) {
        object.add("from", snapshot.from.iso8601)
        object.add("to", snapshot.to.iso8601)
        object.add("finalLevel", snapshot.finalLevel)
        object.add("totalIn", snapshot.totalIn)
        object.add("totalOut", snapshot.totalOut)
        object.add("peakStart", snapshot.peakHour?.start.iso8601)
        object.add("peakIn", snapshot.peakHour?.totalIn)
        object.add("highestLevel", snapshot.highestLevel)
        object.add("averageOccupancy", snapshot.averageOccupancy)
        if snapshot.isAutomatic { object.add("isAutomatic", true) }
    }
}

extension RowContent {
    /// The value of `type` for this kind of row.
    fileprivate var word: String {
        switch self {
        case .entry(let entry): entry.type.rawValue
        case .correction: "correction"
        case .void: "void"
        case .reset: "reset"
        case .endOfDay: "endOfDay"
        case .setting: "setting"
        case .timerEvent: "timerEvent"
        }
    }
}
