import CounterModel

extension AppendTransaction {
    struct FileLocation: Hashable {
        let file, location: Int64
    }

    /// Gives a row its place in the order.
    ///
    /// What this journal has seen stands before what is done here now, and a clock that was set back does not disorder that.
    func order(_ new: inout NewRow) throws {
        new.move = nil
        switch new.order {
        case .given: break
        case .now, .atReceipt: new.row.orderedAt = now(new.row)
        case .ownTime:
            let clock = max(receivedAt.microseconds, next)
            let time = try max(min(new.row.timestamp.microseconds, clock), above(new))
            new.row.orderedAt = Timestamp(microseconds: time)
            if let line = new.line {
                above[FileLocation(file: line.file, location: new.projection.locationKey)] = time
            }
        }
        let mayMove = try hasClocks ?? !ClockTable.isEmpty(db)
        hasClocks = mayMove
        if mayMove {
            new.move = try ClockTable.move(db, of: identity(of: new.row), in: new.projection.locationKey)
        }
        if case .journal(let identity) = new.row.origin { limit(&new, identity) }
        let order = new.orderedAt
        new.isLate = order <= highest || new.move != nil
        new.isLast = order > highest || order == highest && isHighestOwn && !new.row.isTakenOver
    }

    /// After all that the journal holds.
    private var next: Int64 { highest < .max ? highest + 1 : highest }

    func now(_ row: JournalRow) -> Timestamp {
        Timestamp(microseconds: max(row.countedAt.microseconds, next))
    }

    /// The `orderedAt` of the line above, of the same location.
    private func above(_ new: NewRow) throws -> Int64 {
        guard let line = new.line else { return .min }
        let location = new.projection.locationKey
        if let known = above[FileLocation(file: line.file, location: location)] { return known }
        let sql: StaticString = """
            SELECT orderedAt FROM journalRow WHERE fileKey = :file AND line < :line AND locationKey = :location
            ORDER BY line DESC LIMIT 1
            """
        return try db.statement(sql).bind("file", line.file).bind("line", line.number)
            .bind("location", location).integer() ?? .min
    }

    /// The order of a row that is at a position, or inserted next.
    func order(of new: NewRow, at position: Position? = nil) throws -> RowOrder {
        let identity = try identity(of: new.row, at: position)
        return RowOrder(new.orderedAt, RowOrder.place(identity.journalId, identity.position.number))
    }

    func identity(of row: JournalRow, at position: Position? = nil) throws -> RowIdentity {
        try row.origin?.identity
            ?? RowIdentity(journalId: ids().current, position: position ?? Position(nextPosition))
    }

    /// The segment in which a row counts that is inserted next.
    func segment(of new: NewRow) throws -> Segment {
        let current = new.projection.current
        let isInCurrent = !new.isLate || current.begin < new.orderedAt
        return isInCurrent ? current : try new.projection.segment(holding: order(of: new))
    }
}
