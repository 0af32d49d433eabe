import CounterModel
import Linux
import SQL

// MARK: - Copies

extension AppendTransaction {
    /// The automatic end of the same day; nil where there is none.
    func automaticEnd(like new: NewRow) throws -> Int64? {
        let sql = """
            SELECT position FROM journal JOIN snapshot USING (position)
            WHERE kind = \(RowKind.reset) AND locationKey = :location AND \(Schema.orderedAt) = :order
            AND isAutomatic = 1 LIMIT 1
            """
        return try db.statement(sql).bind("location", new.projection.locationKey)
            .bind("order", new.orderedAt).integer()
    }

    /// Appends a row of another journal that says the same as one that is here. The first of them in the order counts, unless one of
    /// them is void.
    func append(_ new: NewRow, as known: Int64, device: Int64?) throws -> Position {
        let of = "SELECT first FROM copy WHERE position = :position"
        let first = try db.statement(of).bind("position", known).integer() ?? known
        let position = try insert(new, device: device)
        new.projection.note(position, of: new, event: new.row.content.source)
        let copy = try db.statement("INSERT INTO copy VALUES (:position, :first)")
        guard try order(of: new, at: position) < RowOrder.of(first, db) else {
            try copy.bind("position", position).bind("first", first).run()
            return position
        }
        let target = try target(first)
        if !target.isVoid { _ = try withdraw(target, from: new.projection, isForced: true) }
        let update = try db.statement("UPDATE copy SET first = :new WHERE first = :first")
        try update.bind("new", position).bind("first", first).run()
        try copy.bind("position", first).bind("first", position).run()
        if let device { identity.invalidate(device: device) }
        guard !target.isVoid else { return position }
        if let difference = target.difference {
            _ = try count(difference, of: new, isCorrection: false)
        } else {
            try begin(position, 0, of: new, within: segment(of: new))
        }
        return position
    }
}

// MARK: - Rows from elsewhere

extension AppendTransaction {
    /// The outcome of a row or a line that is in the journal already; nil for one that is new.
    func known(_ row: JournalRow, _ line: StoredLine) throws -> Outcome? {
        guard let identity = row.origin?.identity else {
            return try self.identity.position(file: line.file, line: line.number)
                .map { .duplicate(Position($0)) }
        }
        let position = try position(of: identity, isExported: !row.isTakenOver)
        if let position, try isSame(row, at: position) { return .duplicate(Position(position)) }
        let own = try ids().positions(around: identity)
        if !parted.contains(identity.journalId) {
            if own == nil, position == nil { return nil }
            if let own, row.isTakenOver, try comesBack(identity, isHeld: position != nil, in: own) {
                return nil
            }
        }
        if row.isTakenOver { parted.insert(identity.journalId) }
        return .refused(.otherHistory)
    }

    /// Whether a row that was written here, and lost when an earlier copy of the file was put back, has its name: unless another row
    /// was written under it since. What is written next then has another id.
    func comesBack(_ row: RowIdentity, isHeld: Bool, in own: Range<Int64>) throws -> Bool {
        let position = try ownPosition(of: row)
        if let position {
            if try holdsOwnRows(in: position..<own.upperBound) { return false }
        } else if isHeld {
            return false
        } else if try row.journalId != ids().current {
            return true
        }
        try fork(at: position ?? nextPosition)
        hasRecovered = true
        return true
    }

    /// Whether the row at a position is this one. Automatic ends of several locations have the same time.
    func isSame(_ row: JournalRow, at position: Int64) throws -> Bool {
        let sql: StaticString = """
            SELECT timestamp, (SELECT id FROM location WHERE key = locationKey
                AND EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = journal.position AND isAutomatic = 1))
                AS location
            FROM journal WHERE position = :position
            """
        return try db.statement(sql).bind("position", position).first { stored in
            let location: Identifier? = stored["location"]
            return try stored["timestamp"] == row.timestamp.microseconds
                && (location == nil || row.locationId == nil || location == row.locationId)
        }.orCorrupt()
    }

    func line(of row: JournalRow) throws -> StoredLine? {
        guard let line = row.origin?.line else { return nil }
        return StoredLine(file: try fileKey(line.fileHash), number: line.number)
    }

    /// The position in this journal of a row of any journal; nil if it is not here. An export names each row by its position here, also
    /// those of other journals; a feed so names only those that this journal wrote.
    func position(of identity: RowIdentity, isExported: Bool = false) throws -> Int64? {
        if let own = try ownPosition(of: identity, isExported: isExported) { return own }
        let line = ImportLine(identity)
        return try self.identity.position(file: fileKey(line.fileHash), line: line.number)
    }

    func ownPosition(of identity: RowIdentity, isExported: Bool = false) throws -> Int64? {
        guard try ids().positions(around: identity) != nil else { return nil }
        let sql =
            "SELECT position FROM journal WHERE position = :position AND (:isExported OR \(Schema.isOwn))"
        return try db.statement(sql).bind("position", identity.position).bind("isExported", isExported)
            .integer()
    }

    func fileKey(_ hash: String) throws -> Int64 {
        try fileKeys.value(of: hash) {
            try db.statement("INSERT INTO file (hash) VALUES (:hash) ON CONFLICT DO NOTHING")
                .bind("hash", hash).run()
            return try db.statement("SELECT key FROM file WHERE hash = :hash").bind("hash", hash).integer()
        }.orCorrupt()
    }
}
