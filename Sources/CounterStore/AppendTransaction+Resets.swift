import CounterModel
import Linux

extension AppendTransaction {
    func append(_ correction: Correction, of new: NewRow) throws -> Outcome {
        let (projection, difference) = (new.projection, correction.difference)
        let level = projection.current.end
        // A row of a file or of another journal is taken over as it is.
        if new.line == nil, let refusal = try projection.refusal(of: difference) { return .refused(refusal) }
        if difference == 0, correction.endedDay == nil { return .refused(.sameLevel) }
        guard correction.isAdmitted else { return .refused(.tooLarge) }
        guard try count(difference, of: new, isCorrection: true) else { return .refused(.overflow) }
        var (new, correction) = (new, correction)
        if !new.row.isTakenOver { correction.levelBefore = level }
        new.row.content = .correction(correction)
        let position = try insert(new, device: try deviceKey(correction.deviceId))
        projection.note(position, of: new, event: nil)
        return .corrected(position, from: level, to: projection.current.end)
    }

    func append(_ reset: Reset, of new: NewRow) throws -> Outcome {
        // An occupancy is only set to 0, by the end of a day. In another journal the location may have been a tally
        // then.
        let isEndOfDay = new.line != nil && reset.value == 0
        if !new.row.isTakenOver, !isEndOfDay, try new.projection.location().maxCapacity != nil {
            return .refused(.resetOfOccupancy)
        }
        var (new, reset) = (new, reset)
        if !new.row.isTakenOver { reset.levelBefore = try level(before: new) }
        new.row.content = .reset(reset)
        return .accepted(try begin(at: reset.value, by: new, device: try reset.deviceId.map(deviceKey)))
    }

    /// Appends the end of a day that was checked.
    func end(_ snapshot: DaySnapshot, by new: NewRow) throws -> Position {
        if snapshot.isAutomatic, let same = try automaticEnd(like: new) {
            return try append(new, as: same, device: nil)
        }
        var new = new
        if !new.row.isTakenOver {
            new.row.content = .endOfDay(snapshot, levelBefore: try level(before: new))
        }
        return try begin(at: 0, by: new, device: nil)
    }

    /// The level at a row's place in the order, where it is inserted next.
    func level(before new: NewRow) throws -> Int {
        guard new.isLate else { return try segment(of: new).end }
        try flush()
        return try HistoryReader(db: db).level(of: new.projection.locationKey, at: new.row.orderedAt)
    }

    func begin(at value: Int, by new: NewRow, device: Int64?, redoes: Int64? = nil) throws -> Position {
        let other = try segment(of: new)
        let position = try insert(new, device: device, redoes: redoes)
        try begin(position, value, of: new, within: other)
        new.projection.note(position, of: new, event: nil)
        return position
    }

    /// Begins the segment of a reset that was appended.
    func begin(_ reset: Position, _ value: Int, of new: NewRow, within other: Segment) throws {
        let projection = new.projection
        let segment = Segment(reset: reset.number, begin: new.orderedAt, start: value, sum: 0)
        try projection.begin(segment, within: other)
        guard new.isLate else { return }
        let sum = try rollups.split(
            segment, projection.range(segment.reset), from: other, projection.range(other.reset),
            of: projection.locationKey)
        try projection.move(sum, from: other.reset, to: segment.reset)
    }
}
