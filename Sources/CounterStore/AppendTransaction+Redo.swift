import CounterModel
import Linux
import SQL

/// A redo appends again what an undo has voided: each row with its time, and so that the level is as if neither had been. It is
/// possible until the user changes anything, or anybody sets the location's level.
extension AppendTransaction {
    /// A row that was voided, and is appended again.
    private struct VoidRow {
        let row: JournalRow
        /// The reset in whose segment it counted late; the row that it is again.
        let lateAfter, redoes: Int64?
        /// Whether its void left the level as it was.
        let isLate: Bool

        /// The row that was there first.
        var first: Int64 { redoes ?? row.id.number }
        var difference: Int {
            switch row.content {
            case .entry(let entry): entry.type.delta
            case .correction(let correction): correction.difference
            case .void, .reset, .endOfDay, .setting, .timerEvent: 0
            }
        }
        var isByHand: Bool {
            if case .entry(let entry) = row.content { entry.source == .manual } else { true }
        }

        /// The row by which it counts again, at the same time and for the same user.
        func again(_ content: RowContent, by new: NewRow) -> NewRow {
            var new = new
            (new.row.userId, new.row.timestamp) = (row.userId, row.countedAt)
            // The clock may have been set back since.
            new.row.receivedAt = max(new.row.receivedAt, row.countedAt)
            new.row.content = content
            return new
        }
    }

    /// Takes back the last undo of the location that is not taken back.
    func redo(_ scope: UndoScope, by new: NewRow) throws -> Outcome {
        let projection = new.projection
        let end = try SnapshotTable.last(db, of: new.row.locationId)?.position
        let changes = OwnChanges(db, location: projection.locationKey, after: end)
        guard let undo = try changes.lastUndo(by: scope.userId), try firstRow(of: projection.current) < undo,
            try !hasChanged(since: undo, scope)
        else { return .nothingToRedo }
        let rows = try voided(upTo: undo)
        guard case .reset(let reset) = rows[0].row.content else { return try redo(steps: rows, by: new) }
        return try redo(reset, of: rows[0], by: new)
    }

    /// The reset that began a segment or, where that was a redo, the one that was there first.
    private func firstRow(of segment: Segment) throws -> Int64 {
        let sql = "SELECT coalesce(redoes, position) FROM journal WHERE position = :position"
        return try db.statement(sql).bind("position", segment.reset).integer() ?? segment.reset
    }

    /// Whether something was changed within a scope after a row, in any location.
    private func hasChanged(since position: Int64, _ scope: UndoScope) throws -> Bool {
        try db.statement("SELECT key FROM location").integers().contains { location in
            try OwnChanges(
                db, location: location, after: Position(position), appendedFrom: firstPosition
            ).last(.made, in: scope) != nil
        }
    }

    /// What the undo has voided that ends with this void, in the order in which it was appended. Of a hold, an undo voids the last
    /// count first.
    private func voided(upTo last: Int64) throws -> [VoidRow] {
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
        return try voids.map(target)
    }

    private func target(of void: Int64) throws -> VoidRow {
        let sql = """
            SELECT \(RowTable.columns.map { "row.\($0)" }.joined(separator: ", ")),
                void.lateAfter IS NOT NULL AS isLate
            FROM journal AS void JOIN journal AS row ON row.position = void.target WHERE void.position = :position
            """
        let reader = RowReader(db)
        return try db.statement(sql).bind("position", void).first { row in
            VoidRow(
                row: try reader.read(row), lateAfter: row["lateAfter"], redoes: row["redoes"],
                isLate: try row["isLate"])
        }.orCorrupt()
    }
}

// MARK: - Appending

extension AppendTransaction {
    /// Counts or a correction: all of them or none.
    private func redo(steps rows: [VoidRow], by new: NewRow) throws -> Outcome {
        let projection = new.projection
        let segments = try rows.map { row in
            row.isLate
                ? try projection.segment(holding: row.lateAfter ?? row.row.id.number)
                : projection.current.reset
        }
        let amounts = Dictionary(zip(segments, rows.map(\.difference)), uniquingKeysWith: +)
        if rows[0].isByHand, let amount = amounts[projection.current.reset],
            let refusal = try projection.refusal(of: amount)
        {
            return .refused(refusal)
        }
        let level = projection.current.end
        guard try projection.add(amounts) else { return .refused(.overflow) }
        var last: Int64 = 0
        for (row, segment) in zip(rows, segments) {
            last = try append(again: row, in: segment, continues: last > 0, levelBefore: level, by: new)
        }
        let time = rows[rows.count - 1].row.countedAt
        if case .entry(let entry) = rows[0].row.content {
            return .redone(Position(last), Undone(.entries(type: entry.type, count: rows.count), at: time))
        }
        return .redone(Position(last), Undone(.correction(difference: rows[0].difference), at: time))
    }

    /// Appends a step whose difference its segment has already.
    private func append(
        again void: VoidRow, in reset: Int64, continues: Bool, levelBefore: Int, by new: NewRow
    ) throws -> Int64 {
        let projection = new.projection
        var (content, isEvent) = (void.row.content, false)
        if case .entry(var entry) = content {
            // Its number stays that of the void row.
            (entry.continuesHold, entry.sequenceNumber) = (continues, nil)
            (content, isEvent) = (.entry(entry), true)
        } else if case .correction(var correction) = content {
            correction.levelBefore = levelBefore
            content = .correction(correction)
        }
        let new = void.again(content, by: new)
        try rollups.add(
            void.difference, at: new.time, isCorrection: !isEvent, to: try projection.segment(reset),
            of: projection.locationKey)
        let lateAfter = reset == projection.current.reset ? nil : reset
        let position = try insert(
            new, device: try content.deviceId.map(deviceKey), lateAfter: lateAfter, redoes: void.first)
        projection.note(position: position, time: new.time, isLate: lateAfter != nil, isEvent: isEvent)
        return position
    }

    /// A reset, to its value and what was counted after it: that was not taken back.
    private func redo(_ reset: Reset, of void: VoidRow, by new: NewRow) throws -> Outcome {
        let projection = new.projection
        if try projection.location().maxCapacity != nil { return .refused(.resetOfOccupancy) }
        guard try firstRow(of: projection.current) < void.first else { return .nothingToRedo }
        let value = try db.statement("SELECT value FROM journal WHERE position = :first")
            .bind("first", void.first).integer().orCorrupt()
        let (level, overflow) = Int(value).addingReportingOverflow(try counted(after: void.first, projection))
        if overflow { return .refused(.overflow) }
        var again = reset
        again.value = level
        let position = try set(again, by: void.again(.reset(again), by: new), redoes: void.first)
        return .redone(Position(position), Undone(.reset(value: Int(value)), at: void.row.countedAt))
    }

    /// What the steps add up to that count, or counted first, after a row of the location.
    private func counted(after first: Int64, _ projection: LocationProjection) throws -> Int {
        let sql = """
            SELECT coalesce(sum(step.difference), 0) FROM journalRow AS step
            JOIN journal AS first ON first.position = coalesce(step.redoes, step.position)
            LEFT JOIN journal AS reset ON reset.position = first.lateAfter
            WHERE step.position > :first AND step.locationKey = :location AND step.kind IN \(RowKind.steps)
            AND step.voidedBy IS NULL AND coalesce(reset.redoes, first.lateAfter, first.position) >= :first
            """
        let sum = try db.statement(sql).bind("first", first).bind("location", projection.locationKey)
            .integer()
        return Int(try sum.orCorrupt())
    }
}
