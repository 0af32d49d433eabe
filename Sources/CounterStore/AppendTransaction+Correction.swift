import CounterModel
import SQL

extension AppendTransaction {
    /// Appends a correction as one row. Its difference is computed here, where no other program can count in between.
    func append(
        _ correction: NewCorrection, of request: Request, line: StoredLine?,
        to projection: LocationProjection
    ) throws -> Outcome {
        let level = projection.current.end
        guard let difference = correction.amount.difference(at: level) else { return .refused(.tooLarge) }
        // A row of a file or of another journal is taken over as it is.
        if line == nil, let refusal = try projection.refusal(of: difference) { return .refused(refusal) }
        if difference == 0 { return .refused(.sameLevel) }
        guard NewCorrection.admits(difference) else { return .refused(.tooLarge) }
        let time = countedAt(request)
        let late = line == nil ? nil : try lateSegment(of: request, line: line, in: projection)
        guard try projection.add(difference, to: late) else { return .refused(.overflow) }
        try rollups.add(
            difference, at: time, isCorrection: true,
            to: try late.map(projection.segment) ?? projection.current, of: projection.locationKey)
        let position = try takePosition()
        try insertion.insert(
            correction, difference: difference, at: position, request: request,
            receivedAt: received(request), location: projection.locationKey,
            device: try deviceKey(correction.deviceId), levelBefore: level, line: line, lateAfter: late)
        projection.note(position: position, time: time, isLate: late != nil, isEvent: false)
        return .corrected(Position(position), from: level, to: projection.current.end)
    }
}
