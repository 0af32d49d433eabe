import CounterModel
import GRDB

extension AppendTransaction {
    /// A row that may be taken back.
    private struct Target {
        let position: Int64
        let lateAfter: Int64?
        /// +1 or -1; nil for a reset.
        let delta: Int?
        /// What a reset has set; nil for an entry.
        let value: Int?
        let deviceKey: Int64?
        let locationKey: Int64
        let continuesHold: Bool
        let isVoid: Bool
        let countedAt: Int64

        static let columns = """
            position, lateAfter, delta, value, deviceKey, locationKey, continuesHold, \(Schema.countedAt),
            EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)
            """

        init(_ row: Row) {
            position = row[0]
            lateAfter = row[1]
            delta = row[2]
            value = row[3]
            deviceKey = row[4]
            locationKey = row[5]
            continuesHold = row[6] ?? false
            countedAt = row[7]
            isVoid = row[8]
        }
    }

    /// Takes one row back that a gesture names.
    func void(_ position: Int64, of request: Request, in ledger: Ledger) throws -> Outcome {
        let sql = """
            SELECT \(Target.columns) FROM journal WHERE position = ? AND locationKey = ? AND kind IN (1, 3)
            """
        let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [position, ledger.locationKey])
        guard let target = row.map(Target.init), !target.isVoid else { return .nothingToVoid }
        let last = try void([target], of: request, in: ledger)
        return last.map { .accepted(Position($0)) } ?? .refused(.overflow)
    }

    /// Takes back the last change of the location that is not void.
    func undo(_ request: Request, in ledger: Ledger) throws -> Outcome {
        let sql = """
            SELECT \(Target.columns) FROM journal
            WHERE position <= ? AND locationKey = ? AND kind IN (1, 3)
            AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)
            ORDER BY position DESC LIMIT 1
            """
        let row = try Row.fetchOne(
            db.cachedStatement(sql: sql), arguments: [ledger.position, ledger.locationKey])
        guard let target = row.map(Target.init) else { return .nothingToUndo }
        let targets = try wholeHold(endingWith: target, in: ledger)
        guard let last = try void(targets, of: request, in: ledger) else { return .refused(.overflow) }
        guard let delta = target.delta, let type = EntryType(delta: delta) else {
            return .undone(Position(last), .reset(value: target.value ?? 0))
        }
        return .undone(Position(last), .entries(type: type, count: targets.count))
    }

    /// The entries of a hold that are not void, latest first. It goes no further back than a reset: each undo
    /// then shows a number that was on the screen before.
    private func wholeHold(endingWith last: Target, in ledger: Ledger) throws -> [Target] {
        let sql = """
            SELECT \(Target.columns) AS isVoid FROM journal
            WHERE position < ? AND (deviceKey = ? AND kind = 1 OR locationKey = ? AND kind = 3 AND NOT isVoid)
            ORDER BY position DESC LIMIT 1
            """
        var targets = [last]
        var entry = last
        let statement = try db.cachedStatement(sql: sql)
        while entry.continuesHold {
            let row = try Row.fetchOne(
                statement, arguments: [entry.position, entry.deviceKey, entry.locationKey])
            guard let before = row.map(Target.init), before.delta == last.delta,
                before.locationKey == last.locationKey
            else { break }
            if !before.isVoid { targets.append(before) }
            entry = before
        }
        return targets
    }

    /// Takes rows back: all of them or, where a level would leave the range of `Int`, none.
    ///
    /// - returns: The position of the last void; nil where none was appended.
    private func void(_ targets: [Target], of request: Request, in ledger: Ledger) throws -> Int64? {
        if targets.count == 1, targets[0].delta == nil {
            return try voidReset(targets[0], of: request, in: ledger)
        }
        var amounts: [Int64: Int] = [:]
        var segments: [Int64] = []
        for target in targets {
            let segment = try ledger.segment(holding: target.lateAfter ?? target.position)
            segments.append(segment)
            amounts[segment, default: 0] -= target.delta ?? 0
        }
        guard try ledger.add(amounts) else { return nil }
        var last: Int64?
        for (target, segment) in zip(targets, segments) {
            try rollups.remove(
                at: target.countedAt, from: try ledger.segment(segment), of: ledger.locationKey)
            let lateAfter = segment == ledger.current.reset ? nil : segment
            last = try insertVoid(of: target.position, lateAfter: lateAfter, for: request, in: ledger)
        }
        return last
    }

    private func voidReset(_ target: Target, of request: Request, in ledger: Ledger) throws -> Int64? {
        let isCurrent = target.position == ledger.current.reset
        let merged = try ledger.segment(target.position)
        let next = try ledger.nextReset(after: target.position)
        guard let segment = try ledger.mergeSegment(reset: target.position) else { return nil }
        try rollups.merge(merged, into: segment, before: next, of: ledger.locationKey)
        let lateAfter = isCurrent ? nil : try ledger.segment(holding: target.position)
        return try insertVoid(of: target.position, lateAfter: lateAfter, for: request, in: ledger)
    }
}
