import CounterModel
import Linux
import SQL

extension AppendTransaction {
    /// A row that is taken back, or was.
    struct Target {
        let row: JournalRow
        let locationKey: Int64
        let deviceKey: Int64?
        let order: RowOrder
        /// The position of the row that was there first, where it is again what an undo has taken back.
        let first: Int64
        let isVoid: Bool

        var position: Int64 { row.id.number }

        static let select = "SELECT \(RowTable.list), place, voidedBy FROM journalRow"

        init(_ stored: borrowing Row, _ reader: RowReader) throws {
            row = try reader.read(stored)
            (locationKey, deviceKey) = (try stored["locationKey"], stored["deviceKey"])
            order = try RowOrder(stored)
            first = try stored["redoes"] ?? stored["position"]
            isVoid = stored["voidedBy"] as Int64? != nil
        }

        /// By how much it moved the level; nil where it has set the level, or none.
        var difference: Int? {
            switch row.content {
            case .entry, .correction: row.content.difference
            default: nil
            }
        }

        var continuesHold: Bool {
            if case .entry(let entry) = row.content { entry.continuesHold } else { false }
        }

        /// What an undo of it, and of the earlier counts of its hold, has voided.
        func undone(with count: Int = 1) -> Undone {
            let change: Undone.Change =
                switch row.content.shown {
                case .entry(let entry): .entries(type: entry.type, count: count)
                case .correction(let correction): .correction(difference: correction.difference)
                case .reset(let reset): .reset(value: reset.value)
                case .clock: .clock
                default: .endOfDay
                }
            return Undone(change, at: row.countedAt)
        }
    }

    func target(_ position: Int64) throws -> Target {
        try db.statement("\(Target.select) WHERE position = :position").bind("position", position)
            .first { try Target($0, reader) }.orCorrupt()
    }

    /// Takes one row back that a gesture or a user names: of copies the one that counts.
    func void(_ position: Int64, by new: NewRow) throws -> Outcome {
        let sql = """
            \(Target.select) WHERE position = coalesce((SELECT first FROM copy WHERE position = :position), :position)
            AND locationKey = :location AND kind IN (\(RowKind.clock), \(RowKind.entry), \(RowKind.reset), \(RowKind.correction))
            """
        let found = try db.statement(sql).bind("position", position)
            .bind("location", new.projection.locationKey).first { try Target($0, reader) }
        guard let target = found else { return .nothingToVoid }
        if target.isVoid, !new.row.isTakenOver { return .nothingToVoid }
        let void: Position
        if case .clock(let mend) = target.row.content {
            void = try insert(new, voiding: position)
            try mendClock(mend, of: new.projection)
            try bringUpToDate()
        } else if new.row.isTakenOver {
            if !target.isVoid { _ = try withdraw(target, from: new.projection, isForced: true) }
            return .accepted(try insert(new, voiding: position))
        } else {
            guard let last = try self.void([target], by: new) else { return .refused(.overflow) }
            void = last
        }
        return new.line == nil && new.row.userId != nil ? .undone(void, target.undone()) : .accepted(void)
    }

    func void(_ rows: ClosedRange<Position>, by new: NewRow) throws -> Outcome {
        let sql = """
            \(Target.select) WHERE position BETWEEN :first AND :last AND locationKey = :location
            AND kind = \(RowKind.entry) AND voidedBy IS NULL ORDER BY position DESC
            """
        let targets = try db.statement(sql).bind("first", rows.lowerBound).bind("last", rows.upperBound)
            .bind("location", new.projection.locationKey).all { try Target($0, reader) }
        if targets.isEmpty { return .nothingToVoid }
        let last = try void(targets, by: new)
        return last.map { .accepted($0) } ?? .refused(.overflow)
    }

    /// Takes back the last change of the location within a scope that is not void.
    func undo(_ scope: UndoScope, by new: NewRow) throws -> Outcome {
        let end = try SnapshotTable.last(db, of: new.row.locationId)
        let changes = try OwnChanges(
            db, location: new.projection.locationKey, after: end, appendedFrom: firstPosition)
        guard let position = try changes.last(in: scope) else {
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
            guard let before = try statement.first({ try Target($0, reader) }),
                before.row.content.kind == .entry, before.difference == last.difference,
                before.locationKey == last.locationKey
            else { break }
            if !before.isVoid { targets.append(before) }
            entry = before
        }
        return targets
    }

    /// Voids rows: all of them or, if a level would leave the range of `Int`, none. Returns the position of the last void; nil if
    /// none was appended.
    private func void(_ targets: [Target], by new: NewRow) throws -> Position? {
        if targets.count == 1 {
            guard try withdraw(targets[0], from: new.projection) else { return nil }
            return try insert(new, voiding: targets[0].position)
        }
        let projection = new.projection
        var amounts: [Int64: Int] = [:]
        let segments = try targets.map { try projection.segment(holding: $0.order) }
        for (target, segment) in zip(targets, segments) {
            amounts[segment.reset, default: 0] -= target.difference ?? 0
        }
        guard try projection.add(amounts) else { return nil }
        var (last, new) = (nil as Position?, new)
        for (target, segment) in zip(targets, segments) {
            try rollups.remove(
                at: target.row.countedAt.microseconds, from: segment, of: projection.locationKey)
            last = try insert(new, voiding: target.position)
            try order(&new)
        }
        return last
    }

    /// Takes a row out of its segment, or joins the two around a reset. Returns false where a level would leave the range of
    /// `Int`.
    func withdraw(_ target: Target, from projection: LocationProjection, isForced: Bool = false) throws
        -> Bool
    {
        let location = projection.locationKey
        if let difference = target.difference {
            let segment = try projection.segment(holding: target.order)
            try rollups.remove(at: target.row.countedAt.microseconds, from: segment, of: location)
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
