package import CounterModel
package import Linux
import SQL

/// A day of a location of which a file has counts.
///
/// Its end is a row in the last microsecond of the day: a correction that takes off what the file's counts of the day have left
/// over, and archives their figures. So a day of the past moves no level after it, wherever other rows stand in the journal.
package struct FileDay: Hashable, Sendable {
    static let fromEndToNextDay = Duration.microseconds(1)

    package let locationId: Identifier
    package let day: OperationalDay
    let fileHash: String

    package init(_ day: OperationalDay, of location: Identifier, inFile hash: String) {
        (self.day, locationId, fileHash) = (day, location, hash)
    }

    private var range: Range<Timestamp> { day.start..<day.end }

    /// The row that ends the day with its counts; importing the file again makes the same row.
    fileprivate func end(
        _ steps: [LevelStep], _ capacities: [CapacityChange], of location: Location, receivedAt: Timestamp
    ) throws -> JournalRow {
        let calendar = location.calendar(for: day.start...day.end)
        let minutes = Dictionary(grouping: steps) { MinuteRollup.minute(of: $0.time) }
        let segment = HistorySegment(
            reset: .start, begin: day.start, level: 0,
            minutes: minutes.sorted { $0.key < $1.key }.map { MinuteRollup(minute: $0, of: $1) })
        let kpis = try AnalyticsService(of: range, segments: [segment], capacities: capacities) {
            minutes[$1.minute] ?? []
        }.kpis(
            hours: calendar.hourStarts(in: range), bars: [],
            open: OpenTimes(of: location, in: range, calendar), silence: .max)
        let snapshot = DaySnapshot(kpis, from: day.start, to: day.end, isAutomatic: true)
        let line = ImportLine(fileHash: "\(fileHash) days of \(locationId)", number: day.date.dayNumber)
        return JournalRow(
            origin: .line(line), locationId: locationId, timestamp: day.end - Self.fromEndToNextDay,
            receivedAt: receivedAt,
            .correction(
                Correction(by: -kpis.net, deviceId: "import", reason: "end of the day", endedDay: snapshot)))
    }

    /// By how much the end of a day of a file has moved the level, and in which segment; nil where the row is no such end.
    static func end(
        _ db: Connection, at position: Position, _ projection: LocationProjection
    ) throws -> (difference: Int, segment: Int64)? {
        let sql = """
            SELECT difference, orderedAt, place FROM journalRow
            WHERE position = :position AND kind = \(RowKind.correction)
            """
        return try db.statement(sql).bind("position", position).first { row in
            (try row["difference"], try projection.segment(holding: RowOrder(row)).reset)
        }
    }
}

extension AppendTransaction {
    /// Ends a day of a file that is over. Returns nil where there is nothing to end: no count of the file, or a reset or an end
    /// came after them by the end of the day.
    func end(_ day: FileDay) throws -> Receipt? {
        guard day.day.end <= receivedAt, let projection = try projection(of: day.locationId) else {
            return nil
        }
        let end = day.day.end.microseconds
        let segment = try projection.segment(holding: RowOrder(end, ""))
        guard try projection.segment(holding: RowOrder(end + 1, "")).reset == segment.reset else {
            return nil
        }
        let steps = try steps(of: day, in: projection.range(segment.reset), of: projection)
        if steps.isEmpty { return nil }
        let row = try day.end(
            steps, HistoryReader(db: db).capacities(of: projection.locationKey), of: projection.location(),
            receivedAt: receivedAt)
        return try answer(Request(row))
    }

    /// The counts and corrections of a file's day that are in a segment and not void, in order of time.
    private func steps(of day: FileDay, in segment: SegmentRange, of projection: LocationProjection) throws
        -> [LevelStep]
    {
        let sql = """
            SELECT countedAt, difference, kind FROM journalRow
            WHERE kind IN \(RowKind.steps) AND kind <> \(RowKind.void) AND locationKey = :location
            AND countedAt >= :start AND countedAt < :end AND fileKey = :file
            AND \(SegmentRange.holds) AND \(Schema.counts) ORDER BY countedAt, orderedAt, place
            """
        return try segment.bind(db.statement(sql)).bind("location", projection.locationKey)
            .bind("start", day.day.start).bind("end", day.day.end).bind("file", fileKey(day.fileHash))
            .all { row in
                LevelStep(
                    time: try row["countedAt"], difference: try row["difference"],
                    isCorrection: try row["kind"] == RowKind.correction.rawValue, isEarly: false)
            }
    }
}
