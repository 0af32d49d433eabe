package import CounterModel
package import Linux
import SQL

extension AppendTransaction {
    /// A row that may be voided.
    struct Target {
        let position, locationKey, countedAt: Int64
        let order: RowOrder
        let deviceKey: Int64?
        let kind: Kind
        let continuesHold, isVoid: Bool

        enum Kind: Equatable {
            case entry(EntryType)
            case correction(difference: Int)
            case reset(value: Int)
            case endOfDay

            /// By how much it moved the level; nil for a reset and an end of a day.
            var difference: Int? {
                switch self {
                case .entry(let type): type.delta
                case .correction(let difference): difference
                case .reset, .endOfDay: nil
                }
            }
        }

        static let select = """
            SELECT position, kind, orderedAt, place, delta, value, deviceKey, locationKey, continuesHold, countedAt,
                voidedBy,
                EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = journalRow.position) AS isEnd
            FROM journalRow
            """

        init(_ row: borrowing Row) throws {
            position = try row["position"]
            order = RowOrder(try row["orderedAt"], try row["place"])
            switch try RowKind(rawValue: row["kind"]) {
            case .entry: kind = .entry(try EntryType(delta: row["delta"]).orCorrupt())
            case .correction: kind = .correction(difference: try row["value"])
            default: kind = try row["isEnd"] ? .endOfDay : .reset(value: try row["value"])
            }
            deviceKey = row["deviceKey"]
            locationKey = try row["locationKey"]
            continuesHold = row["continuesHold"] as Int? == 1
            countedAt = try row["countedAt"]
            isVoid = row["voidedBy"] as Int64? != nil
        }

        /// What an undo of it, and of the earlier counts of its hold, has voided.
        func undone(with count: Int = 1) -> Undone {
            let change: Undone.Change =
                switch kind {
                case .entry(let type): .entries(type: type, count: count)
                case .correction(let difference): .correction(difference: difference)
                case .reset(let value): .reset(value: value)
                case .endOfDay: .endOfDay
                }
            return Undone(change, at: Timestamp(microseconds: countedAt))
        }
    }

    /// The row at a position.
    func target(_ position: Int64) throws -> Target {
        try db.statement("\(Target.select) WHERE position = :position").bind("position", position)
            .first { try Target($0) }.orCorrupt()
    }

    /// Takes one row back that a gesture or a user names: of copies the one that counts.
    func void(_ position: Int64, by new: NewRow) throws -> Outcome {
        let sql = """
            \(Target.select) WHERE position = coalesce((SELECT first FROM copy WHERE position = :position), :position)
            AND locationKey = :location AND kind IN \(RowKind.voidable)
            """
        let found = try db.statement(sql).bind("position", position)
            .bind("location", new.projection.locationKey).first { try Target($0) }
        guard let target = found else { return .nothingToVoid }
        if new.row.isTakenOver {
            if !target.isVoid { _ = try withdraw(target, from: new.projection, isForced: true) }
            return .accepted(try insert(new, voiding: position))
        }
        if target.isVoid { return .nothingToVoid }
        let last = try void([target], by: new)
        guard let last else { return .refused(.overflow) }
        return new.line == nil && new.row.userId != nil ? .undone(last, target.undone()) : .accepted(last)
    }

    /// Takes back the entries of one press.
    func void(_ rows: ClosedRange<Position>, by new: NewRow) throws -> Outcome {
        let sql = """
            \(Target.select) WHERE position BETWEEN :first AND :last AND locationKey = :location
            AND kind = \(RowKind.entry) AND voidedBy IS NULL ORDER BY position DESC
            """
        let targets = try db.statement(sql).bind("first", rows.lowerBound.number)
            .bind("last", rows.upperBound.number).bind("location", new.projection.locationKey)
            .all { try Target($0) }
        if targets.isEmpty { return .nothingToVoid }
        let last = try void(targets, by: new)
        return last.map { .accepted($0) } ?? .refused(.overflow)
    }

    /// Takes back the last change of the location within a scope that is not void.
    func undo(_ scope: UndoScope, by new: NewRow) throws -> Outcome {
        let end = try SnapshotTable.last(db, of: new.row.locationId)
        let candidates = UndoCandidates(db: db, location: new.projection.locationKey, end: end?.position)
        guard let position = try candidates.last(in: scope, appendedFrom: firstPosition) else {
            return .nothingToUndo(since: end?.time)
        }
        let target = try target(position)
        let targets = try wholeHold(endingWith: target)
        guard let last = try void(targets, by: new) else { return .refused(.overflow) }
        return .undone(last, target.undone(with: targets.count))
    }

    /// The entries of a hold that are not void, latest first. It goes no further back than a reset or a correction: each undo
    /// then shows a number that was on the screen before.
    private func wholeHold(endingWith last: Target) throws -> [Target] {
        let sql = """
            \(Target.select) WHERE position < :before AND (deviceKey = :device AND kind = \(RowKind.entry)
                OR locationKey = :location AND kind IN (\(RowKind.reset), \(RowKind.correction)) AND voidedBy IS NULL)
            ORDER BY position DESC LIMIT 1
            """
        var targets = [last]
        var entry = last
        let statement = try db.statement(sql)
        while entry.continuesHold {
            try statement.bind("before", entry.position).bind("device", entry.deviceKey)
                .bind("location", entry.locationKey)
            guard let before = try statement.first({ try Target($0) }), before.kind == last.kind,
                before.locationKey == last.locationKey
            else { break }
            if !before.isVoid { targets.append(before) }
            entry = before
        }
        return targets
    }

    /// Voids rows: all of them or, if a level would leave the range of `Int`, none.
    ///
    /// - returns: The position of the last void; nil if none was appended.
    private func void(_ targets: [Target], by new: NewRow) throws -> Position? {
        if targets.count == 1 {
            guard try withdraw(targets[0], from: new.projection) else { return nil }
            return try insert(new, voiding: targets[0].position)
        }
        let projection = new.projection
        var amounts: [Int64: Int] = [:]
        let segments = try targets.map { try projection.segment(holding: $0.order) }
        for (target, segment) in zip(targets, segments) {
            amounts[segment.reset, default: 0] -= target.kind.difference ?? 0
        }
        guard try projection.add(amounts) else { return nil }
        var (last, new) = (nil as Position?, new)
        for (target, segment) in zip(targets, segments) {
            try rollups.remove(at: target.countedAt, from: segment, of: projection.locationKey)
            last = try insert(new, voiding: target.position)
            try order(&new)
        }
        return last
    }

    /// Takes a row out of its segment, or joins the two around a reset.
    ///
    /// - returns: False where a level would leave the range of `Int`.
    func withdraw(_ target: Target, from projection: LocationProjection, isForced: Bool = false) throws
        -> Bool
    {
        let location = projection.locationKey
        if let difference = target.kind.difference {
            let segment = try projection.segment(holding: target.order)
            try rollups.remove(at: target.countedAt, from: segment, of: location)
            return projection.add(-difference, to: segment, isForced: isForced)
        }
        let merged = try projection.segment(target.position)
        let range = try projection.range(merged.reset)
        guard let segment = try projection.merge(merged, isForced: isForced) else { return false }
        try rollups.merge(merged, range, into: segment, of: location)
        return true
    }

    private func insert(_ new: NewRow, voiding target: Int64) throws -> Position {
        var new = new
        new.row.content = .void(Position(target))
        let position = try insert(new)
        new.projection.noteVoid(position, of: new)
        return position
    }
}

// MARK: - Undo

/// Finds the row that an undo of a location voids, among those since its last end of a day. Each query walks an index backwards to
/// its first hit.
private struct UndoCandidates {
    private let db: Connection
    private let location: Int64
    /// The last end of a day.
    private let end: Position?

    init(db: Connection, location: Int64, end: Position?) {
        self.db = db
        self.location = location
        self.end = end
    }

    /// The last row within a scope that is not void. From `first` on, the first row of this transaction, rows are of the program that
    /// asks.
    func last(in scope: UndoScope, appendedFrom first: Int64) throws -> Int64? {
        let order = try end.map { try RowOrder.of($0.number, db) } ?? .start
        let found = try [
            lastOwn(scope.own, order), lastByHand(scope, appendedFrom: first, order),
            lastByKeys(scope, appendedFrom: first, order),
        ]
        return try found.compactMap(\.self).filter { try order < RowOrder.of($0, db) }.max()
    }

    /// Whether a row may be after the last end of a day, or none of those before it is.
    private static let isAfterEnd = "(isLate IS NULL OR orderedAt >= :end)"

    private func lastOwn(_ own: OwnRows, _ end: RowOrder) throws -> Int64? {
        for rows in own.ranges.reversed() {
            if let row = try last(in: rows, end) { return row }
        }
        return nil
    }

    private func last(in rows: ClosedRange<Int64>, _ end: RowOrder) throws -> Int64? {
        let sql = """
            SELECT position FROM journalRow WHERE position BETWEEN :first AND :last AND locationKey = :location
            AND kind IN \(RowKind.voidable) AND \(Schema.counts) AND \(Self.isAfterEnd)
            ORDER BY position DESC LIMIT 1
            """
        return try db.statement(sql).bind("first", rows.lowerBound).bind("last", rows.upperBound)
            .bind("location", location).bind("end", end.orderedAt).integer()
    }

    /// A row without a device is a command's.
    private func lastByHand(_ scope: UndoScope, appendedFrom first: Int64, _ end: RowOrder) throws -> Int64? {
        let sql = """
            SELECT position FROM journalRow WHERE locationKey = :location AND userId = :user
            AND kind <> \(RowKind.void) AND kind IN \(RowKind.voidable) AND fileKey IS NULL
            AND (position <= :since OR position >= :first OR deviceKey IS NULL
                OR deviceKey = (SELECT key FROM device WHERE id = :commandLine))
            AND voidedBy IS NULL AND \(Self.isAfterEnd) ORDER BY position DESC LIMIT 1
            """
        return try db.statement(sql).bind("location", location).bind("user", scope.userId)
            .bind("end", end.orderedAt)
            .bind("since", scope.since.number).bind("first", first)
            .bind("commandLine", Devices.commandLine).integer()
    }

    private func lastByKeys(_ scope: UndoScope, appendedFrom first: Int64, _ end: RowOrder) throws -> Int64? {
        let key: StaticString = "SELECT key FROM device WHERE id = :id"
        let keys = try scope.deviceIds.compactMap { try db.statement(key).bind("id", $0).integer() }
        guard !keys.isEmpty else { return nil }
        let sql = """
            SELECT position FROM journalRow WHERE position BETWEEN :first AND :last AND locationKey = :location
            AND userId IS NULL AND kind IN (\(RowKind.entry), \(RowKind.reset)) AND fileKey IS NULL
            AND deviceKey IN (SELECT value FROM json_each(:devices))
            AND voidedBy IS NULL AND \(Self.isAfterEnd) ORDER BY position DESC LIMIT 1
            """
        let devices = "[\(keys.map(String.init).joined(separator: ","))]"
        for rows in [first...Int64.max, 0...scope.since.number] {
            let found = try db.statement(sql).bind("first", rows.lowerBound).bind("last", rows.upperBound)
                .bind("location", location).bind("devices", devices).bind("end", end.orderedAt).integer()
            if let found { return found }
        }
        return nil
    }
}

extension SQLiteJournal {
    /// The location with the last change that an undo of a command takes back; nil where no location has one.
    package func locationToUndo(_ scope: UndoScope) throws(JournalError) -> Identifier? {
        try read { db in
            let locations = try db.statement("SELECT id, key FROM location").all { row in
                (id: Identifier(try row["id"]), key: try row["key"] as Int64)
            }
            let found = try locations.compactMap { location in
                let end = try SnapshotTable.last(db, of: location.id)?.position
                return try UndoCandidates(db: db, location: location.key, end: end)
                    .last(in: scope, appendedFrom: .max).map { (id: location.id, position: $0) }
            }
            return found.max { $0.position < $1.position }?.id
        }
    }
}
