import CounterModel
import SQL

/// Requests that come from elsewhere: rows of other journals, lines of files.
extension AppendTransaction {
    /// The outcome of a request whose line or row is in the journal already; nil for one that is new.
    func known(_ request: Request, line: StoredLine?) throws -> Outcome? {
        guard let known = request.origin?.identity ?? request.change.line.flatMap(RowIdentity.init) else {
            guard let line else { return nil }
            return try identity.position(file: line.file, line: line.number).map { .duplicate(Position($0)) }
        }
        guard let position = try position(of: known) else {
            // A row of this very journal that is not in it: an earlier state of the file was restored.
            return try known.journalId == ownId.get() ? .refused(.otherHistory) : nil
        }
        let sql = "SELECT timestamp FROM journal WHERE position = :position"
        let time = try db.statement(sql).bind("position", position).integer()
        return time == request.timestamp.microseconds
            ? .duplicate(Position(position)) : .refused(.otherHistory)
    }

    /// The line that a request was read from, or that stands for its row of another journal; nil for what is new.
    func line(of request: Request) throws -> StoredLine? {
        guard let line = request.origin?.identity.line ?? request.change.line else { return nil }
        return StoredLine(file: try fileKey(line.fileHash), number: line.number)
    }

    /// When a request was first received, by the clock of the journal that received it: so a row counts at the same time in
    /// every journal.
    func received(_ request: Request) -> Timestamp { request.origin?.receivedAt ?? receivedAt }

    /// The position in this journal of the row that another journal's void names; nil if it is not here.
    func target(of origin: RowOrigin) throws -> Int64? { try origin.target.flatMap(position) }

    /// The segment in which something counts late; nil if it counts in the current one.
    ///
    /// A row of another journal counts after the reset after which it counts there, unless that reset is not here.
    func lateSegment(of request: Request, line: StoredLine?, in projection: LocationProjection) throws
        -> Int64?
    {
        guard let reset = request.origin?.lateAfter, let anchor = try anchor(reset) else {
            return try projection.lateSegment(at: countedAt(request), file: line?.file)
        }
        let segment = try projection.segment(holding: anchor)
        return segment == projection.current.reset ? nil : segment
    }

    private func anchor(_ reset: RowIdentity) throws -> Int64? {
        reset.position == .start ? 0 : try position(of: reset)
    }

    private func position(of identity: RowIdentity) throws -> Int64? {
        if try identity.journalId == ownId.get() {
            let sql = "SELECT position FROM journal WHERE position = :position"
            return try db.statement(sql).bind("position", identity.position.number).integer()
        }
        return try self.identity.position(file: fileKey(identity.line.fileHash), line: identity.line.number)
    }
}

extension Change {
    /// The line of a file that it was read from.
    fileprivate var line: ImportLine? {
        switch self {
        case .entry(let entry): entry.line
        case .correction(let correction): correction.line
        case .reset(let reset): reset.line
        case .entries, .void, .voidPress, .endOfDay, .setting, .timerEvent, .undo: nil
        }
    }
}

/// The id by which other journals know this one.
enum IdentityTable {
    static func id(_ db: Connection) throws -> String {
        try db.statement("SELECT id FROM identity").text().orCorrupt()
    }
}
