import CounterModel
import Linux
import SQL

extension AppendTransaction {
    /// A row that may be voided.
    private struct Target {
        let position, locationKey, countedAt: Int64
        let lateAfter, deviceKey: Int64?
        let kind: Kind
        let continuesHold, isVoid, isEnd: Bool

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
            SELECT position, kind, lateAfter, delta, value, deviceKey, locationKey, continuesHold, countedAt, voidedBy,
                EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = journalRow.position) AS isEnd
            FROM journalRow
            """

        init(_ row: borrowing Row) throws {
            position = try row["position"]
            lateAfter = row["lateAfter"]
            isEnd = try row["isEnd"]
            switch try RowKind(rawValue: row["kind"]) {
            case .entry: kind = .entry(try EntryType(delta: row["delta"]).orCorrupt())
            case .correction: kind = .correction(difference: try row["value"])
            default: kind = isEnd ? .endOfDay : .reset(value: try row["value"])
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
                case .correction where isEnd: .endOfDay
                case .correction(let difference): .correction(difference: difference)
                case .reset(let value): .reset(value: value)
                case .endOfDay: .endOfDay
                }
            return Undone(change, at: Timestamp(microseconds: countedAt))
        }
    }

    /// Takes one row back that a gesture or a user names; days that were ended together are open again together.
    func void(_ position: Int64, by new: NewRow) throws -> Outcome {
        let sql = """
            \(Target.select) WHERE position = :position AND locationKey = :location AND kind IN \(RowKind.voidable)
            """
        let found = try db.statement(sql).bind("position", position)
            .bind("location", new.projection.locationKey).first { try Target($0) }
        guard let target = found, !target.isVoid else { return .nothingToVoid }
        let last =
            target.kind == .endOfDay && new.line == nil
            ? try void(endsWith: target, by: new) : try void([target], by: new)
        guard let last else { return .refused(.overflow) }
        return new.line == nil && new.row.userId != nil
            ? .undone(Position(last), target.undone()) : .accepted(Position(last))
    }

    private func void(endsWith target: Target, by new: NewRow) throws -> Int64? {
        let ends = try SnapshotTable.endedTogether(db, with: target.position)
        guard try new.projection.merged(ends) != nil else { return nil }
        var last: Int64?
        for end in ends.reversed() {
            let sql = "\(Target.select) WHERE position = :position"
            let end = try db.statement(sql).bind("position", end).first { try Target($0) }.orCorrupt()
            last = try void(reset: end, by: new)
        }
        return last
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
        return last.map { .accepted(Position($0)) } ?? .refused(.overflow)
    }

    /// Takes back the last change of the location within a scope that is not void.
    func undo(_ scope: UndoScope, by new: NewRow) throws -> Outcome {
        let end = try SnapshotTable.last(db, of: new.row.locationId)
        let changes = OwnChanges(
            db, location: new.projection.locationKey, after: end?.position, appendedFrom: firstPosition)
        guard let position = try changes.last(.standing, in: scope) else {
            return .nothingToUndo(since: end?.time)
        }
        let target = try db.statement("\(Target.select) WHERE position = :position")
            .bind("position", position).first { try Target($0) }.orCorrupt()
        let targets = try wholeHold(endingWith: target)
        guard let last = try void(targets, by: new) else { return .refused(.overflow) }
        return .undone(Position(last), target.undone(with: targets.count))
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
    private func void(_ targets: [Target], by new: NewRow) throws -> Int64? {
        if targets.count == 1, targets[0].kind.difference == nil {
            return try void(reset: targets[0], by: new)
        }
        let projection = new.projection
        var amounts: [Int64: Int] = [:]
        var segments: [Int64] = []
        for target in targets {
            let segment = try projection.segment(holding: target.lateAfter ?? target.position)
            segments.append(segment)
            amounts[segment, default: 0] -= target.kind.difference ?? 0
        }
        guard try projection.add(amounts) else { return nil }
        var last: Int64?
        for (target, segment) in zip(targets, segments) {
            try rollups.remove(
                at: target.countedAt, from: try projection.segment(segment), of: projection.locationKey)
            let lateAfter = segment == projection.current.reset ? nil : segment
            last = try insert(new, voiding: target.position, lateAfter: lateAfter)
        }
        return last
    }

    private func void(reset target: Target, by new: NewRow) throws -> Int64? {
        let projection = new.projection
        let isCurrent = target.position == projection.current.reset
        let merged = try projection.segment(target.position)
        let next = try projection.nextReset(after: target.position)
        guard let segment = try projection.mergeSegment(reset: target.position) else { return nil }
        try rollups.merge(merged, into: segment, before: next, of: projection.locationKey)
        let lateAfter = isCurrent ? nil : try projection.segment(holding: target.position)
        return try insert(new, voiding: target.position, lateAfter: lateAfter)
    }

    private func insert(_ new: NewRow, voiding target: Int64, lateAfter: Int64?) throws -> Int64 {
        var new = new
        new.row.content = .void(Position(target))
        let position = try insert(new, lateAfter: lateAfter)
        new.projection.noteVoid(position: position, time: new.time, isLate: lateAfter != nil)
        return position
    }
}
