import CounterModel
import Linux
import SQL

/// When the last row of a kind counts, and its `orderedAt`.
struct LastRow {
    private(set) var time: Int64?
    private(set) var order: Int64

    /// Of rows with the same `orderedAt`, the latest one is the last.
    mutating func note(_ time: Int64, at order: Int64) {
        if (order, time) >= (self.order, self.time ?? .min) { (self.time, self.order) = (time, order) }
    }
}

/// The derived state of one location while a transaction appends to it: read once, written once at the end.
final class LocationProjection {
    private let locationId: Identifier
    private var stored: Stored
    /// Other segments that were read, some with sums that `save` has yet to write.
    private var earlier: [Int64: Segment] = [:]
    /// Whether a request of the transaction that is not from elsewhere has named it.
    var isLive = false
    /// The present settings, which decide what is refused. Read only when needed: a key press does not need them.
    private var settings: Location?
    private var known: (capacity: Int?, target: Int?, endsDays: Bool)?
    private let db: Connection

    var locationKey: Int64 { stored.key }
    /// The segment whose end is the level.
    var current: Segment { stored.current }
    /// The latest time of any row of the location, void or not.
    var latest: Int64 { stored.latest }
    var position: Int64 { stored.position }

    /// Nil where there is no such location.
    init?(_ db: Connection, locationId: Identifier) throws {
        let found = try db.statement(Self.select).bind("location", locationId).first { try Stored($0) }
        guard let found else { return nil }
        (self.db, self.locationId, stored) = (db, locationId, found)
    }

    /// After all was computed again.
    func readAgain() throws {
        stored = try LocationProjection(db, locationId: locationId).orCorrupt().stored
        earlier = [:]
    }

    private static let select = FixedText(
        """
        SELECT location.key, lastUpdated, updateOrder, lastEventAt, eventOrder, firstEventAt, latest, position,
            reset, begin, start, sum
        FROM location JOIN counterState ON counterState.locationKey = location.key
        JOIN segment ON segment.locationKey = location.key
        WHERE location.id = :location ORDER BY begin DESC, \(SegmentTable.place) DESC LIMIT 1
        """)

    private struct Stored {
        let key: Int64
        var position, latest: Int64
        /// The last change of the level and the last event in the order.
        var update, event: LastRow
        /// When the first event counts that is not from a file.
        var firstEventAt: Int64?
        var current: Segment

        init(_ row: borrowing Row) throws {
            (key, position, latest) = (try row["key"], try row["position"], try row["latest"])
            update = LastRow(time: row["lastUpdated"], order: try row["updateOrder"])
            event = LastRow(time: row["lastEventAt"], order: try row["eventOrder"])
            firstEventAt = row["firstEventAt"]
            current = try Segment(row)
        }
    }

    func location() throws -> Location {
        let location = try settings ?? LocationTable.location(db, key: locationKey).orCorrupt()
        settings = location
        return location
    }

    private func limits() throws -> (capacity: Int?, target: Int?, endsDays: Bool) {
        if let known { return known }
        let read = try db.statement(Self.limits).bind("location", locationKey).first { row in
            (
                capacity: (row["capacity"] as String?).flatMap { Int($0) },
                target: (row["target"] as String?).flatMap { Int($0) },
                endsDays: (row["endsDays"] as String?) == "true"
            )
        }
        let limits = try read.orCorrupt()
        known = limits
        return limits
    }

    private static let limits = FixedText(
        """
        SELECT \(LocationTable.setting(.capacity, of: ":location")) AS capacity,
            \(LocationTable.setting(.target, of: ":location")) AS target,
            \(LocationTable.setting(.endsDaysAutomatically, of: ":location")) AS endsDays
        """)

    func endsDaysAutomatically() throws -> Bool { try limits().endsDays }

    func state() throws -> CounterState {
        let (capacity, target, _) = try limits()
        return CounterState(
            locationId: locationId, level: current.end, maxCapacity: capacity, target: target,
            lastReset: Position(current.reset),
            lastUpdated: stored.update.time.map { Timestamp(microseconds: $0) },
            lastEventAt: stored.event.time.map { Timestamp(microseconds: $0) }, position: Position(position))
    }

    /// The segment that holds a place in the order.
    func segment(holding order: RowOrder) throws -> Segment {
        if current.begin < order.orderedAt || current.reset == 0 { return current }
        let found = try SegmentTable.last(db, before: order, location: locationKey).orCorrupt()
        return found.reset == current.reset ? current : earlier[found.reset] ?? found
    }

    func segment(_ reset: Int64) throws -> Segment {
        if reset == current.reset { return current }
        return try earlier[reset] ?? SegmentTable.segment(db, of: reset, location: locationKey).orCorrupt()
    }

    func range(_ reset: Int64) throws -> SegmentRange {
        try SegmentTable.range(db, of: reset, location: locationKey)
    }

    /// Why a manual entry may not be counted so many times; nil if it may, and for other entries.
    func refusal(of entry: Entry, times: Int = 1) throws -> Refusal? {
        guard entry.source == .manual else { return nil }
        let (difference, overflow) = times.multipliedReportingOverflow(by: entry.type.delta)
        return overflow ? .overflow : try refusal(of: difference)
    }

    /// Why a change by hand may not move the level by a difference; nil where it may.
    func refusal(of difference: Int) throws -> Refusal? {
        ManualChangeRule.refusal(of: difference, at: current.end, of: try location())
    }

    /// Adds amounts to segments, by their resets: all of them, or none if one would leave the range of `Int`. Returns false where
    /// none was added.
    func add(_ amounts: [Int64: Int]) throws -> Bool {
        var changed: [Segment] = []
        for (reset, amount) in amounts {
            guard let sum = try segment(reset).adding(amount) else { return false }
            changed.append(sum)
        }
        changed.forEach(replace)
        return true
    }

    /// Adds to one segment; see `add(_:)` for several. `isForced`: whether another journal has decided it.
    func add(_ amount: Int, to segment: Segment, isForced: Bool) -> Bool {
        guard let sum = segment.adding(amount, isForced: isForced) else { return false }
        replace(sum)
        return true
    }

    /// Begins a segment with a reset that was appended, within another segment. Where rows come after it, their sum is to be moved
    /// from that one: see `move`.
    func begin(_ segment: Segment, within other: Segment) throws {
        try SegmentTable.insert(db, segment, location: locationKey)
        guard other.reset == current.reset else {
            earlier[segment.reset] = segment
            return
        }
        earlier[current.reset] = current
        stored.current = segment
    }

    /// Moves what a segment adds up to from the one before it.
    func move(_ sum: Int, from other: Int64, to reset: Int64) throws {
        var (from, to) = (try segment(other), try segment(reset))
        from.sum -= sum
        to.sum += sum
        replace(from)
        replace(to)
    }

    /// Removes a segment's reset: what counts in the segment then counts in the one before. Returns the segment before, as it is
    /// now; nil if its level would leave the range of `Int`, and nothing has changed.
    func merge(_ merged: Segment, isForced: Bool) throws -> Segment? {
        guard let sum = try before(merged).adding(merged.sum, isForced: isForced) else { return nil }
        try SegmentTable.delete(db, merged, location: locationKey)
        earlier[merged.reset] = nil
        if merged.reset == current.reset {
            stored.current = sum
            earlier[sum.reset] = nil
        } else {
            replace(sum)
        }
        return sum
    }

    /// The segment before the last reset, once that is void; nil where its level would leave the range of `Int`.
    func withoutLastReset() throws -> Segment? {
        current.reset == 0 ? current : try before(current).adding(current.sum)
    }

    private func before(_ segment: Segment) throws -> Segment {
        let order = try RowOrder.of(segment.reset, db)
        let found = try SegmentTable.last(db, before: order, location: locationKey).orCorrupt()
        return earlier[found.reset] ?? found
    }

    func forgetSettings() { (settings, known) = (nil, nil) }

    /// Notes a row that moves no level.
    func noteRow(_ row: Position) { stored.position = row.number }

    func noteVoid(_ row: Position, of new: NewRow) {
        stored.position = row.number
        stored.update.note(new.time, at: new.orderedAt)
    }

    /// Notes an entry, a correction or a reset that was appended. An entry is an event, of a source.
    func note(_ row: Position, of new: NewRow, event source: EventSource?) {
        noteVoid(row, of: new)
        stored.latest = max(latest, new.time)
        guard let source else { return }
        stored.event.note(new.time, at: new.orderedAt)
        if source != .import { stored.firstEventAt = min(stored.firstEventAt ?? new.time, new.time) }
    }

    func save() throws {
        for segment in earlier.values { try SegmentTable.save(db, segment, location: locationKey) }
        earlier.removeAll()
        try SegmentTable.save(db, current, location: locationKey)
        let sql: StaticString = """
            UPDATE counterState SET level = :level, lastUpdated = :lastUpdated, updateOrder = :updateOrder,
                lastEventAt = :lastEventAt, eventOrder = :eventOrder, latest = :latest, position = :position,
                firstEventAt = :firstEventAt WHERE locationKey = :location
            """
        try db.statement(sql).bind("level", current.end).bind("lastUpdated", stored.update.time)
            .bind("updateOrder", stored.update.order).bind("lastEventAt", stored.event.time)
            .bind("eventOrder", stored.event.order).bind("latest", latest).bind("position", position)
            .bind("firstEventAt", stored.firstEventAt).bind("location", locationKey).run()
    }

    private func replace(_ segment: Segment) {
        if segment.reset == current.reset {
            stored.current = segment
        } else {
            earlier[segment.reset] = segment
        }
    }
}
