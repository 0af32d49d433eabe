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
        var position: Int64
        var kind: Kind
        /// The position of the row that was there first, and after which it counts; of a late row the reset's.
        let first, anchor: Int64
        /// Whether an undo may take it back, unless a day has ended since.
        let isOwn: Bool
        let isEndOfDay: Bool
        /// Of a reset that was redone, what it was to set first.
        var value: Int?
        var isVoid = false
        var isReset: Bool { if case .reset = kind { true } else { false } }
        var originalValue: Int? { if case .reset(let set, _) = kind { value ?? set } else { nil } }
        var difference: Int128 {
            switch kind {
            case .entry(let delta, _, _), .correction(let delta): Int128(delta)
            case .reset: 0
            }
        }
    }

    /// In the order in which they count: a late row is before the reset that ends its segment.
    private var rows: [Identifier: [Row]] = [:]
    private(set) var position: Int64 = 0
    /// What each undo since the last change has taken back, by the positions of its rows.
    private var undone: [Undo] = []

    private struct Undo {
        let location: Identifier
        /// The position of its last void.
        let position: Int64
        /// Whether a void left the level as it was, for each row.
        let rows: [(position: Int64, isLate: Bool)]
    }

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
        case (.void, .redo): return redo(row.locationId)
        case (.void(let target, _), _):
            guard void(endedTogether(with: target.number, row.locationId), row.locationId) else {
                return false
            }
            if row.userId == Ask.me { noteUndone([target.number], row.locationId) }
            return true
        case (.endOfDay, _):
            return append(.reset(value: 0, time: row.timestamp.microseconds), at: nil, row, isEndOfDay: true)
        case (.setting, _), (.timerEvent, _): return false
        }
    }

    /// The row or, where it is an end of a day, all ends that follow one another around it.
    private func endedTogether(with target: Int64, _ location: Identifier) -> [Int64] {
        let ends = (rows[location] ?? []).filter { $0.isEndOfDay && !$0.isVoid }.map(\.position)
        guard ends.contains(target) else { return [target] }
        let earlier = stride(from: target - 1, through: 1, by: -1).prefix(while: ends.contains)
        let later = stride(from: target + 1, through: position, by: 1).prefix(while: ends.contains)
        return earlier.reversed() + [target] + later
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
        return append(kind, at: index.map { end(ofSegmentBefore: $0, in: all) }, row)
    }

    /// Where a row is added to the segment that a reset ends: before what was appended after a void reset, in case that comes back.
    private func end(ofSegmentBefore reset: Int, in all: [Row]) -> Int {
        let begin = all[..<reset].lastIndex { !$0.isVoid && $0.isReset }.map { $0 + 1 } ?? 0
        return all[begin...].firstIndex(where: \.isReset) ?? reset
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
        let reset = index.flatMap { index in all[..<index].last { !$0.isVoid && $0.isReset } }
        all.insert(
            Row(
                position: position + 1, kind: kind, first: position + 1,
                anchor: index == nil ? position + 1 : reset?.first ?? 0, isOwn: isOwn, isEndOfDay: isEndOfDay),
            at: index ?? all.endIndex)
        guard BruteForce.fits(all) else { return false }
        rows[row.locationId] = all
        position += 1
        if isOwn { undone = [] }
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
            return undo(targets, location)
        }
        for row in appended[(start + 1)...] where continues {
            switch row.kind {
            case .reset where row.isVoid, .correction where row.isVoid: continue
            case .reset, .correction: continues = false
            case .entry(_, let other, _) where other != device: continue
            case .entry(let otherDelta, _, let goesOn):
                guard otherDelta == delta else { return undo(targets, location) }
                if !row.isVoid { targets.append(row.position) }
                continues = goesOn
            }
        }
        return undo(targets, location)
    }

    private mutating func undo(_ targets: [Int64], _ location: Identifier) -> Bool {
        guard void(targets, location) else { return false }
        noteUndone(targets.reversed(), location)
        return true
    }

    private mutating func noteUndone(_ targets: [Int64], _ location: Identifier) {
        let all = rows[location] ?? []
        let indexes = targets.compactMap { target in all.firstIndex { $0.position == target } }
        if indexes.contains(where: { all[$0].isEndOfDay }) { return }
        let rows = indexes.map { (all[$0].position, nextReset(after: $0, in: all) != nil) }
        undone.append(Undo(location: location, position: position, rows: rows))
    }

    private func nextReset(after index: Int, in all: [Row]) -> Int? {
        all[(index + 1)...].firstIndex { !$0.isVoid && $0.isReset }
    }

    private mutating func redo(_ location: Identifier) -> Bool {
        let end = lastEnd(location)
        var all = rows[location] ?? []
        guard
            let last = undone.lastIndex(where: { $0.location == location && $0.rows[0].position > end })
        else { return false }
        let reset = all.last { !$0.isVoid && $0.isReset }?.first ?? 0
        if reset > undone[last].position { return false }
        for (number, target) in undone[last].rows.enumerated() {
            guard let index = all.firstIndex(where: { $0.position == target.position }) else { return false }
            let (row, new) = (all[index], position + Int64(number) + 1)
            var kind = row.kind
            switch kind {
            case .reset(let value, let time):
                if reset > row.first { return false }
                let value = row.originalValue ?? value
                let later = all.filter { !$0.isVoid && $0.anchor >= row.first }.map(\.difference).reduce(0, +)
                guard let level = Int(exactly: Int128(value) + later) else { return false }
                kind = .reset(value: level, time: time)
            case .entry(let delta, let device, _):
                kind = .entry(delta: delta, device: device, continues: number > 0)
            case .correction: break
            }
            let next = target.isLate ? nextReset(after: index, in: all) : nil
            all.insert(
                Row(
                    position: new, kind: kind, first: row.first, anchor: row.anchor, isOwn: row.isOwn,
                    isEndOfDay: false, value: row.originalValue),
                at: next.map { self.end(ofSegmentBefore: $0, in: all) } ?? all.endIndex)
        }
        guard BruteForce.fits(all) else { return false }
        rows[location] = all
        position += Int64(undone[last].rows.count)
        undone.remove(at: last)
        return true
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
