import CounterModel
import SQL

extension AppendTransaction {
    /// A row that may be voided.
    private struct Target {
        let position: Int64
        let lateAfter: Int64?
        let kind: Kind
        let deviceKey: Int64?
        let locationKey: Int64
        let continuesHold: Bool
        let isVoid: Bool
        let countedAt: Int64

        enum Kind: Equatable {
            case entry(EntryType)
            case correction(difference: Int)
            case reset(value: Int)

            /// By how much it moved the level; nil for a reset.
            var difference: Int? {
                switch self {
                case .entry(let type): type.delta
                case .correction(let difference): difference
                case .reset: nil
                }
            }
        }

        static let columns = """
            position, kind, lateAfter, delta, value, deviceKey, locationKey, continuesHold, \(Schema.countedAt) AS countedAt,
            EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position) AS isVoid
            """

        init(_ row: borrowing Row) throws {
            position = try row["position"]
            lateAfter = row["lateAfter"]
            switch try row["kind"] as Int {
            case 1: kind = .entry(try EntryType(delta: row["delta"]).orCorrupt())
            case 5: kind = .correction(difference: try row["value"])
            default: kind = .reset(value: try row["value"])
            }
            deviceKey = row["deviceKey"]
            locationKey = try row["locationKey"]
            continuesHold = row["continuesHold"] as Int? == 1
            countedAt = try row["countedAt"]
            isVoid = try row["isVoid"]
        }
    }

    /// Takes one row back that a gesture or a user names.
    func void(_ position: Int64, of request: Request, in projection: LocationProjection) throws -> Outcome {
        let sql = """
            SELECT \(Target.columns) FROM journal
            WHERE position = :position AND locationKey = :location AND kind IN (1, 3, 5)
            """
        let found = try db.statement(sql).bind("position", position).bind("location", projection.locationKey)
            .first { try Target($0) }
        guard let target = found, !target.isVoid else { return .nothingToVoid }
        let last = try void([target], of: request, in: projection)
        return last.map { .accepted(Position($0)) } ?? .refused(.overflow)
    }

    /// Takes back the entries of one press.
    func void(_ rows: ClosedRange<Position>, of request: Request, in projection: LocationProjection) throws
        -> Outcome
    {
        let sql = """
            SELECT \(Target.columns) FROM journal
            WHERE position BETWEEN :first AND :last AND locationKey = :location AND kind = 1 AND NOT isVoid
            ORDER BY position DESC
            """
        let targets = try db.statement(sql).bind("first", rows.lowerBound.number)
            .bind("last", rows.upperBound.number).bind("location", projection.locationKey)
            .all { try Target($0) }
        if targets.isEmpty { return .nothingToVoid }
        let last = try void(targets, of: request, in: projection)
        return last.map { .accepted(Position($0)) } ?? .refused(.overflow)
    }

    /// Takes back the last change of the location within a scope that is not void.
    func undo(_ scope: UndoScope, for request: Request, in projection: LocationProjection) throws -> Outcome {
        let candidates = UndoCandidates(db, location: projection.locationKey)
        guard let position = try candidates.last(in: scope, appendedFrom: firstPosition) else {
            return .nothingToUndo
        }
        let target = try db.statement("SELECT \(Target.columns) FROM journal WHERE position = :position")
            .bind("position", position).first { try Target($0) }.orCorrupt()
        let targets = try wholeHold(endingWith: target, in: projection)
        guard let last = try void(targets, of: request, in: projection) else { return .refused(.overflow) }
        let undone: Undone =
            switch target.kind {
            case .entry(let type): .entries(type: type, count: targets.count)
            case .correction(let difference): .correction(difference: difference)
            case .reset(let value): .reset(value: value)
            }
        return .undone(Position(last), undone)
    }

    /// The entries of a hold that are not void, latest first. It goes no further back than a reset or a correction: each undo
    /// then shows a number that was on the screen before.
    private func wholeHold(endingWith last: Target, in projection: LocationProjection) throws -> [Target] {
        let sql = """
            SELECT \(Target.columns) FROM journal WHERE position < :before
            AND (deviceKey = :device AND kind = 1 OR locationKey = :location AND kind IN (3, 5) AND NOT isVoid)
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
    private func void(_ targets: [Target], of request: Request, in projection: LocationProjection) throws
        -> Int64?
    {
        if targets.count == 1, targets[0].kind.difference == nil {
            return try voidReset(targets[0], of: request, in: projection)
        }
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
            last = try insertVoid(of: target.position, lateAfter: lateAfter, for: request, in: projection)
        }
        return last
    }

    private func voidReset(_ target: Target, of request: Request, in projection: LocationProjection) throws
        -> Int64?
    {
        let isCurrent = target.position == projection.current.reset
        let merged = try projection.segment(target.position)
        let next = try projection.nextReset(after: target.position)
        guard let segment = try projection.mergeSegment(reset: target.position) else { return nil }
        try rollups.merge(merged, into: segment, before: next, of: projection.locationKey)
        let lateAfter = isCurrent ? nil : try projection.segment(holding: target.position)
        return try insertVoid(of: target.position, lateAfter: lateAfter, for: request, in: projection)
    }
}
