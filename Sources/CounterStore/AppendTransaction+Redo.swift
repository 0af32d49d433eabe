import CounterModel
import Linux
import SQL

/// A redo appends again what an undo has voided: each row with its time and at its place in the order, so that all figures are as if
/// neither had been. It is possible until the user changes anything, or anybody sets the location's level.
extension AppendTransaction {
    /// Takes back the last undo of the location that is not taken back.
    func redo(_ scope: UndoScope, by new: NewRow) throws -> Outcome {
        let projection = new.projection
        let end = try SnapshotTable.last(db, of: new.row.locationId)
        let changes = try OwnChanges(db, location: projection.locationKey, after: end)
        guard let undo = try changes.lastUndo(by: scope.userId), try firstRow(of: projection.current) < undo,
            try !hasChanged(since: undo, scope)
        else { return .nothingToRedo }
        let rows = try voided(upTo: undo)
        if let refusal = try refusal(of: rows, projection) { return .refused(refusal) }
        let positions = try rows.enumerated().map { try append(again: $1, continues: $0 > 0, by: new) }
        return .redone(positions[positions.count - 1], rows[rows.count - 1].undone(with: rows.count))
    }

    /// The reset that began a segment or, where that was a redo, the one that was there first.
    private func firstRow(of segment: Segment) throws -> Int64 {
        let sql = "SELECT coalesce(redoes, position) FROM journal WHERE position = :position"
        return try db.statement(sql).bind("position", segment.reset).integer() ?? segment.reset
    }

    /// Whether something was changed within a scope after a row, in any location.
    private func hasChanged(since position: Int64, _ scope: UndoScope) throws -> Bool {
        try db.statement("SELECT key FROM location").integers().contains { location in
            try OwnChanges(db, location: location, appendedAfter: position, from: firstPosition)
                .last(in: scope) != nil
        }
    }

    /// What the undo has voided that ends with this void, in the order in which it was appended. Of a hold, an undo voids the last
    /// count first.
    private func voided(upTo last: Int64) throws -> [Target] {
        let sql = """
            SELECT 1 FROM journal AS void JOIN journal AS before ON before.position = void.position - 1
            JOIN journal AS entry ON entry.position = before.target
            WHERE void.position = :position AND before.target > void.target AND entry.continuesHold = 1
            AND before.locationKey = void.locationKey AND before.userId = void.userId
            AND before.timestamp = void.timestamp AND before.fileKey IS NULL
            """
        var voids = [last]
        let isOfHold = try db.statement(sql)
        while let void = voids.last, try isOfHold.bind("position", void).integer() != nil {
            voids.append(void - 1)
        }
        let targetOf = try db.statement("SELECT target FROM journal WHERE position = :position")
        return try voids.map { try target(targetOf.bind("position", $0).integer().orCorrupt()) }
    }

    /// Why what was voided may not count again; nil where it may.
    private func refusal(of rows: [Target], _ projection: LocationProjection) throws -> Refusal? {
        if case .reset(let reset) = rows[0].row.content {
            if try projection.location().maxCapacity != nil { return .resetOfOccupancy }
            return try fits(reset, rows[0], projection) ? nil : .overflow
        }
        let segments = try rows.map { try projection.segment(holding: $0.order) }
        let amounts = Dictionary(
            zip(segments.map(\.reset), rows.map(\.row.content.difference)), uniquingKeysWith: +)
        for segment in segments where segment.adding(amounts[segment.reset] ?? 0) == nil { return .overflow }
        let isByHand = rows[0].row.content.source.map { $0 == .manual } ?? true
        guard isByHand, let amount = amounts[projection.current.reset] else { return nil }
        return try projection.refusal(of: amount)
    }

    /// Whether levels stay in the range of `Int` where a reset is put back before what was counted after it.
    private func fits(_ reset: Reset, _ void: Target, _ projection: LocationProjection) throws -> Bool {
        let sql = """
            SELECT coalesce(sum(difference), 0) FROM journalRow
            WHERE position > :first AND locationKey = :location AND kind IN \(RowKind.steps)
            AND kind <> \(RowKind.void) AND \(Schema.counts) AND \(RowOrder.isAfter) AND \(SegmentRange.holds)
            """
        let segment = try projection.segment(holding: void.order)
        let sum = try projection.range(segment.reset).bind(void.order.bind(db.statement(sql)))
            .bind("first", void.first).bind("location", projection.locationKey).integer()
        let after = Int(try sum.orCorrupt())
        return segment.adding(-after) != nil && !reset.value.addingReportingOverflow(after).overflow
    }

    /// Appends a row by which a void one counts again, at the same time and place and for the same user.
    private func append(again void: Target, continues: Bool, by new: NewRow) throws -> Position {
        let projection = new.projection
        var new = new
        (new.row.userId, new.row.timestamp) = (void.row.userId, void.row.countedAt)
        // The clock may have been set back since.
        new.row.receivedAt = max(new.row.receivedAt, void.row.countedAt)
        (new.row.orderedAt, new.order) = (void.row.orderedAt, .given)
        try order(&new)
        let device = try void.row.content.deviceId.map(deviceKey)
        new.row.content = void.row.content
        switch void.row.content {
        case .entry(var entry):
            // Its number stays that of the void row.
            (entry.continuesHold, entry.sequenceNumber) = (continues, nil)
            new.row.content = .entry(entry)
        case .correction(var correction):
            correction.levelBefore = projection.current.end
            new.row.content = .correction(correction)
        case .reset(var reset):
            reset.levelBefore = try segment(of: new).end
            new.row.content = .reset(reset)
            return try begin(at: reset.value, by: new, device: device, redoes: void.first)
        default: break
        }
        let source = void.row.content.source
        _ = try count(void.row.content.difference, of: new, isCorrection: source == nil)
        let position = try insert(new, device: device, redoes: void.first)
        projection.note(position, of: new, event: source)
        return position
    }
}
