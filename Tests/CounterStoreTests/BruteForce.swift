import CounterModel
import Linux

/// The rules of the journal implemented a second time, as simply as possible: one list of rows per location, folded
/// from its start for every question, in integers that cannot overflow.
///
/// Its requests are received at one time.
struct BruteForce {
    private enum Kind {
        case entry(delta: Int, device: Identifier, continues: Bool)
        case correction(difference: Int)
        case reset(value: Int)
    }

    private struct Row {
        var position: Int64
        let orderedAt: Int64
        var kind: Kind
        /// The position of the row that was there first.
        let first: Int64
        /// Whether an undo may take it back, unless a day has ended since.
        let isOwn: Bool
        let isEndOfDay: Bool
        var isVoid = false
        var isReset: Bool { if case .reset = kind { true } else { false } }
    }

    /// In the order in which they count.
    private var rows: [Identifier: [Row]] = [:]
    private(set) var position: Int64
    private var highest = Int64.min
    private let receivedAt: Int64
    /// What each undo since the last change has taken back: the positions of its rows and of its last void.
    private var undone: [(location: Identifier, position: Int64, rows: [Int64])] = []

    init(receivedAt: Int64, after position: Position = .start) {
        self.position = position.number
        self.receivedAt = receivedAt
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
        sinceLastEnd(location).count { !$0.isVoid && $0.isOwn }
    }

    /// The rows after the last end of a day that is not void.
    private func sinceLastEnd(_ location: Identifier) -> ArraySlice<Row> {
        let all = rows[location] ?? []
        return all[(all.lastIndex { $0.isEndOfDay && !$0.isVoid }.map { $0 + 1 } ?? 0)...]
    }

    mutating func apply(_ request: Request) -> Bool {
        let row = request.row
        switch (row.content, request.work) {
        case (.entry(let entry), .times(let count)): return appendAll(count, entry, of: request)
        case (.entry(let entry), _): return append(entry, of: request)
        case (.correction, .toLevel(let target)):
            return correct(by: Int128(target) - Int128(level(row.location)), request)
        case (.correction(let correction), _): return correct(by: Int128(correction.difference), request)
        case (.reset(let reset), _):
            return append(.reset(value: reset.value), request)
        case (.void, .voidPress(let targets)): return voidPress(targets, request)
        case (.void, .undo): return undo(request)
        case (.void, .redo): return redo(request)
        case (.void(let target, _), _):
            guard void([target.number], request) else { return false }
            if row.userId == Ask.me { noteUndone([target.number], row.location) }
            return true
        case (.endOfDay, _):
            return append(.reset(value: 0), request, isEndOfDay: true)
        case (.setting, _), (.timerEvent, _), (.location, _), (.device, _), (.journal, _), (.sharing, _),
            (.unknown, _), (.clock, _), (.reading, _):
            return false
        }
    }

    /// All counts of a press, or none.
    private mutating func appendAll(_ count: Int, _ entry: Entry, of request: Request) -> Bool {
        let before = self
        var entry = entry
        for number in 0..<count {
            if number > 0 { entry.continuesHold = true }
            guard append(entry, of: request) else {
                self = before
                return false
            }
        }
        return true
    }

    private mutating func voidPress(_ targets: ClosedRange<Position>, _ request: Request) -> Bool {
        let entries = (rows[request.row.location] ?? []).filter { row in
            guard case .entry = row.kind else { return false }
            return !row.isVoid && targets.contains(Position(row.position))
        }
        return !entries.isEmpty && void(entries.map(\.position), request)
    }

    private mutating func correct(by difference: Int128, _ request: Request) -> Bool {
        guard difference != 0, difference.magnitude <= 1_000_000_000 else { return false }
        return append(.correction(difference: Int(difference)), request)
    }

    private mutating func append(_ entry: Entry, of request: Request) -> Bool {
        append(
            .entry(delta: entry.type.delta, device: entry.deviceId, continues: entry.continuesHold), request)
    }

    /// What is made now is after all that is there; an event with a clock of its own is at its time, up to now.
    private func order(_ request: Request) -> Int64 {
        let (time, next) = (request.row.timestamp.microseconds, highest == .min ? highest : highest + 1)
        return request.order == .now
            ? max(min(time, receivedAt), next) : min(time, max(receivedAt, next))
    }

    private mutating func append(_ kind: Kind, _ request: Request, isEndOfDay: Bool = false) -> Bool {
        let (row, order) = (request.row, order(request))
        var all = rows[row.location] ?? []
        let isOwn: Bool
        if case .entry(_, let device, _) = kind, row.userId == nil {
            isOwn = Ask.scope.deviceIds.contains(device)
        } else {
            isOwn = row.userId == Ask.me
        }
        all.append(
            Row(
                position: position + 1, orderedAt: order, kind: kind, first: position + 1, isOwn: isOwn,
                isEndOfDay: isEndOfDay))
        all.sort { ($0.orderedAt, $0.position) < ($1.orderedAt, $1.position) }
        guard BruteForce.fits(all) else { return false }
        rows[row.location] = all
        position += 1
        highest = max(highest, order)
        if isOwn { undone = [] }
        return true
    }

    private mutating func void(_ targets: [Int64], _ request: Request) -> Bool {
        let location = request.row.location
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
        for _ in targets { highest = max(highest, order(request)) }
        return true
    }

    private mutating func undo(_ request: Request) -> Bool {
        let location = request.row.location
        let appended = (rows[location] ?? []).sorted { $0.position > $1.position }
        let last = sinceLastEnd(location).filter { !$0.isVoid && $0.isOwn }.map(\.position).max()
        guard let start = appended.firstIndex(where: { $0.position == last }) else { return false }
        var targets = [appended[start].position]
        guard case .entry(let delta, let device, var continues) = appended[start].kind else {
            return undo(targets, request)
        }
        for row in appended[(start + 1)...] where continues {
            switch row.kind {
            case .reset where row.isVoid, .correction where row.isVoid: continue
            case .reset, .correction: continues = false
            case .entry(_, let other, _) where other != device: continue
            case .entry(let otherDelta, _, let goesOn):
                guard otherDelta == delta else { return undo(targets, request) }
                if !row.isVoid { targets.append(row.position) }
                continues = goesOn
            }
        }
        return undo(targets, request)
    }

    private mutating func undo(_ targets: [Int64], _ request: Request) -> Bool {
        guard void(targets, request) else { return false }
        noteUndone(targets.reversed(), request.row.location)
        return true
    }

    private mutating func noteUndone(_ targets: [Int64], _ location: Identifier) {
        let isEnd = (rows[location] ?? []).contains { targets.contains($0.position) && $0.isEndOfDay }
        if !isEnd { undone.append((location, position, targets)) }
    }

    /// Each row counts again where it did.
    private mutating func redo(_ request: Request) -> Bool {
        let location = request.row.location
        let since = sinceLastEnd(location).map(\.position)
        var all = rows[location] ?? []
        guard
            let last = undone.lastIndex(where: { $0.location == location && since.contains($0.rows[0]) }),
            (all.last { !$0.isVoid && $0.isReset }?.first ?? 0) <= undone[last].position
        else { return false }
        let voided = undone[last].rows.compactMap { target in all.first { $0.position == target } }
        for (number, row) in voided.enumerated() {
            var row = row
            (row.position, row.isVoid) = (position + Int64(number) + 1, false)
            if case .entry(let delta, let device, _) = row.kind {
                row.kind = .entry(delta: delta, device: device, continues: number > 0)
            }
            all.append(row)
        }
        all.sort { ($0.orderedAt, $0.position) < ($1.orderedAt, $1.position) }
        guard BruteForce.fits(all) else { return false }
        rows[location] = all
        position += Int64(voided.count)
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
            case .reset(let value): levels.append(Int128(value))
            }
        }
        return levels
    }
}
