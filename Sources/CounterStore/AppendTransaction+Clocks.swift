import CounterModel
import Linux
import SQL

extension AppendTransaction {
    /// How far ahead a clock may be before what it says is mended, in microseconds. With a wider limit a clock that is ahead would
    /// order what is done here before the events of devices that are right.
    static let aheadLimit: Int64 = 1_000_000

    /// Has a row of another journal that is ordered after the present stand at the present.
    func limit(_ new: inout NewRow, _ identity: RowIdentity) {
        let (present, position) = (receivedAt.microseconds, identity.position)
        let run = ahead.firstIndex {
            $0.projection === new.projection && $0.journalId == identity.journalId
        }
        guard new.orderedAt > (run == nil ? present + Self.aheadLimit : present) else { return }
        var move = new.move ?? ClockMove()
        move.add(by: nil, latest: present)
        new.move = move
        if let run {
            let rows = ahead[run].rows
            ahead[run].rows = min(rows.lowerBound, position)...max(rows.upperBound, position)
        } else {
            ahead.append((new.projection, identity.journalId, position...position))
        }
    }

    /// Tells other journals of the rows that `limit` has moved. These rows are ordered by this machine's clock alone: if they were
    /// after what it holds, two machines with clocks that were set back would mend each other's for ever.
    func mendClocksAhead() throws {
        if ahead.isEmpty { return }
        for run in ahead {
            let mend = ClockMend(journalId: run.journalId, rows: run.rows, .latest(receivedAt))
            try append(mend, of: run.projection)
        }
        ahead = []
    }

    func append(_ mend: ClockMend, of projection: LocationProjection) throws {
        let row = JournalRow(
            locationId: try projection.location().id, timestamp: receivedAt, receivedAt: receivedAt,
            .clock(mend))
        var new = NewRow(row: row, projection: projection, line: nil, order: .given)
        try order(&new)
        _ = try outcome(of: new, .append)
    }

    /// Moves the rows that a clock row names, which has come or was taken back.
    func mendClock(_ mend: ClockMend, of projection: LocationProjection) throws {
        hasClocks = true
        try flush()
        let moved = try ClockTable.rows(db, of: mend, in: projection.locationKey)
        if moved.isEmpty { return }
        try ClockTable.apply(db, moved)
        projection.forgetSettings()
        highest = try Self.highestOrder(in: db)
        (isHighestOwn, above) = (false, Recent())
        (timers, notedClock) = (TimerBoard(), nil)
        if moved.contains(where: \.movesFigures) { outdated(projection) }
    }

    /// Has the figures of a location computed again.
    func outdated(_ projection: LocationProjection) {
        if !outdated.contains(where: { $0 === projection }) { outdated.append(projection) }
    }

    /// Computes the figures again in which rows were moved.
    func bringUpToDate() throws {
        if outdated.isEmpty { return }
        for projection in outdated {
            let replay = try Replay(db, of: projection.locationKey)
            try ProjectionTables.replaceStored(db, by: replay, of: projection.locationKey)
            replay.epochs.keys.forEach(identity.invalidate)
            try projection.readAgain()
        }
        rollups.forget()
        outdated = []
    }
}
