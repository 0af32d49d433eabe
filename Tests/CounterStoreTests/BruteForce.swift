import CounterModel
import Linux

/// The rules of the journal implemented a second time, as simply as possible: one list of rows per location, folded
/// from its start for every question, in integers that cannot overflow.
struct BruteForce {
    private enum Kind {
        case entry(delta: Int, device: Identifier, continues: Bool)
        case correction(difference: Int)
        case reset(value: Int, time: Int64)
    }

    private struct Row {
        let position: Int64
        let kind: Kind
        /// Whether an undo may take it back, unless a day has ended since.
        let isOwn: Bool
        let isEndOfDay: Bool
        var isVoid = false
    }

    /// In the order in which they count: a late row is before the reset that ends its segment.
    private var rows: [Identifier: [Row]] = [:]
    private(set) var position: Int64 = 0

    init(locations: [Identifier]) {
        for location in locations {
            rows[location] = []
        }
    }

    func level(_ location: Identifier) -> Int {
        Int(BruteForce.levels(rows[location] ?? []).last ?? 0)
    }

    /// How many rows are not void.
    func effectiveCount(_ location: Identifier) -> Int {
        (rows[location] ?? []).count { !$0.isVoid }
    }

    /// How many rows are not void that an undo may take back.
    func ownCount(_ location: Identifier) -> Int {
        let end = lastEnd(location)
        return (rows[location] ?? []).count { !$0.isVoid && $0.isOwn && $0.position > end }
    }

    /// The position of the last end of a day that is not void; 0 where there is none.
    private func lastEnd(_ location: Identifier) -> Int64 {
        (rows[location] ?? []).filter { $0.isEndOfDay && !$0.isVoid }.map(\.position).max() ?? 0
    }

    mutating func apply(_ request: Request) -> Bool {
        let row = request.row
        switch (row.content, request.work) {
        case (.entry(let entry), .times(let count)): return appendAll(count, entry, of: row)
        case (.entry(let entry), _): return append(entry, of: row)
        case (.correction, .toLevel(let target)):
            return correct(by: Int128(target) - Int128(level(row.locationId)), row)
        case (.correction(let correction), _): return correct(by: Int128(correction.difference), row)
        case (.reset(let reset), _):
            return append(.reset(value: reset.value, time: row.timestamp.microseconds), at: nil, row)
        case (.void, .voidPress(let targets)): return voidPress(targets, row.locationId)
        case (.void, .undo): return undo(row.locationId)
        case (.void(let target, _), _): return void([target.number], row.locationId)
        case (.endOfDay, _):
            return append(.reset(value: 0, time: row.timestamp.microseconds), at: nil, row, isEndOfDay: true)
        case (.setting, _), (.timerEvent, _): return false
        }
    }

    /// All counts of a press, or none.
    private mutating func appendAll(_ count: Int, _ entry: Entry, of row: JournalRow) -> Bool {
        let before = self
        var entry = entry
        for number in 0..<count {
            if number > 0 { entry.continuesHold = true }
            guard append(entry, of: row) else {
                self = before
                return false
            }
        }
        return true
    }

    private mutating func voidPress(_ targets: ClosedRange<Position>, _ location: Identifier) -> Bool {
        let entries = (rows[location] ?? []).filter { row in
            guard case .entry = row.kind else { return false }
            return !row.isVoid && targets.contains(Position(row.position))
        }
        return !entries.isEmpty && void(entries.map(\.position), location)
    }

    private mutating func correct(by difference: Int128, _ row: JournalRow) -> Bool {
        guard difference != 0, difference.magnitude <= 1_000_000_000 else { return false }
        return append(.correction(difference: Int(difference)), at: nil, row)
    }

    private mutating func append(_ entry: Entry, of row: JournalRow) -> Bool {
        let kind = Kind.entry(
            delta: entry.type.delta, device: entry.deviceId, continues: entry.continuesHold)
        let all = rows[row.locationId] ?? []
        var index: Int?
        for candidate in all.indices.reversed() where !all[candidate].isVoid {
            guard case .reset(_, let time) = all[candidate].kind else { continue }
            if time <= row.timestamp.microseconds { break }
            index = candidate
        }
        return append(kind, at: index, row)
    }

    private mutating func append(
        _ kind: Kind, at index: Int?, _ row: JournalRow, isEndOfDay: Bool = false
    ) -> Bool {
        var all = rows[row.locationId] ?? []
        let isOwn: Bool
        if case .entry(_, let device, _) = kind, row.userId == nil {
            isOwn = Ask.scope.deviceIds.contains(device)
        } else {
            isOwn = row.userId == Ask.me
        }
        all.insert(
            Row(position: position + 1, kind: kind, isOwn: isOwn, isEndOfDay: isEndOfDay),
            at: index ?? all.endIndex)
        guard BruteForce.fits(all) else { return false }
        rows[row.locationId] = all
        position += 1
        return true
    }

    private mutating func void(_ targets: [Int64], _ location: Identifier) -> Bool {
        var all = rows[location] ?? []
        for target in targets {
            guard let index = all.firstIndex(where: { $0.position == target }), !all[index].isVoid else {
                return false
            }
            all[index].isVoid = true
        }
        guard BruteForce.fits(all) else { return false }
        rows[location] = all
        position += Int64(targets.count)
        return true
    }

    private mutating func undo(_ location: Identifier) -> Bool {
        let appended = (rows[location] ?? []).sorted { $0.position > $1.position }
        let end = lastEnd(location)
        guard let start = appended.firstIndex(where: { !$0.isVoid && $0.isOwn }),
            appended[start].position > end
        else { return false }
        var targets = [appended[start].position]
        guard case .entry(let delta, let device, var continues) = appended[start].kind else {
            return void(targets, location)
        }
        for row in appended[(start + 1)...] where continues {
            switch row.kind {
            case .reset where row.isVoid, .correction where row.isVoid: continue
            case .reset, .correction: continues = false
            case .entry(_, let other, _) where other != device: continue
            case .entry(let otherDelta, _, let goesOn):
                guard otherDelta == delta else { return void(targets, location) }
                if !row.isVoid { targets.append(row.position) }
                continues = goesOn
            }
        }
        return void(targets, location)
    }

    private static func fits(_ rows: [Row]) -> Bool {
        levels(rows).allSatisfy { Int(exactly: $0) != nil }
    }

    /// The level at the end of each segment.
    private static func levels(_ rows: [Row]) -> [Int128] {
        var levels: [Int128] = [0]
        for row in rows where !row.isVoid {
            switch row.kind {
            case .entry(let delta, _, _), .correction(let delta): levels[levels.count - 1] += Int128(delta)
            case .reset(let value, _): levels.append(Int128(value))
            }
        }
        return levels
    }
}
