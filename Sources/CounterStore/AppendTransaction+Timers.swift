package import CounterModel
import Linux
import SQL

/// A timer that starts with the next count of this program.
package struct PreparedTimer {
    fileprivate let setup: TimerSetup
    fileprivate let presetId: UniqueId?
    fileprivate let userId: String
    /// Whose limits apply.
    fileprivate let settings: TimerSettings

    package init(_ setup: TimerSetup, presetId: UniqueId?, userId: String, settings: TimerSettings) {
        (self.setup, self.presetId, self.userId, self.settings) = (setup, presetId, userId, settings)
    }
}

/// What the last row of a timer says of this machine's clock, so that an append need not read it again.
struct NotedClock {
    /// Of that row; 0 where there is none.
    let position: Int64
    let reference: ClockReference?
    /// The boot in which no timer runs that needs a reference.
    var restingBoot: String?
}

// MARK: - Rows of timers

extension AppendTransaction {
    /// Appends what happened to a timer. A row is of some location, with which it goes to other machines: that of a timer of all locations
    /// is of the oldest one, and all of a timer are of the same.
    func append(_ event: TimerEvent, by userId: String?, at moment: TimerMoment) throws {
        var own: Identifier?
        if case .started(_, let setup, _, _) = event { own = setup.locations.ids.first }
        let known = try own.flatMap { try LocationTable.key(db, id: $0) != nil ? $0 : nil }
        let named = try known ?? event.timerId.flatMap(location)
        let oldest = "SELECT id FROM location ORDER BY key LIMIT 1"
        _ = try answer(
            Request(
                locationId: try named ?? Identifier(db.statement(oldest).text().orCorrupt()), userId: userId,
                timestamp: moment.now, .timerEvent(TimerRowContent(event, clock: moment.clock).text)))
    }

    /// That of the row with which a timer began.
    private func location(of timer: UniqueId) throws -> Identifier? {
        let sql = """
            SELECT id FROM journal JOIN location ON key = locationKey
            WHERE kind = \(RowKind.timerEvent) AND text LIKE '%' || :timer || '%' ORDER BY position LIMIT 1
            """
        return try db.statement(sql).bind("timer", timer.description).text().map { Identifier($0) }
    }

    /// Starts a timer with the first of some requests that counted. Returns whether one counted, or why the timer is not started.
    func start(
        _ prepared: PreparedTimer, withFirstOf receipts: [Receipt], _ clock: ClockReference?
    ) throws -> Result<Bool, TimerRefusal> {
        // A count that no other journal has made.
        let counted = receipts.first {
            $0.rows != nil && $0.request.row.content.kind == .entry && !$0.request.row.isTakenOver
        }
        guard let row = counted?.request.row else { return .success(false) }
        var board = TimerBoard()
        try TimerRows.update(&board, db)
        let moment = TimerMoment(now: row.timestamp.counted(receivedAt: receivedAt), clock: clock)
        do throws(TimerRefusal) {
            try board.admit(prepared.setup, prepared.settings, at: moment.now)
        } catch { return .failure(error) }
        let event = TimerEvent.started(UniqueId(), prepared.setup, presetId: prepared.presetId)
        try append(event, by: prepared.userId, at: moment)
        return .success(true)
    }
}

// MARK: - Clocks that are set

extension AppendTransaction {
    /// How much later than the present an entry may be that another program has appended while this one waited for the lock.
    private static let tolerance = Duration.milliseconds(100)

    /// Before rows are appended: notes that the clock was set since the last row of a timer. So each row between two settings is
    /// of one clock, and every entry behind the setting counts by the new one. The first append of a boot in which a timer runs
    /// notes what tells of the boot's next setting. Returns whether a row was appended.
    @discardableResult
    func noteClock(_ clock: ClockReference?, before requests: [Request]) throws -> Bool {
        let noted = try noted()
        guard let clock else { return false }
        if noted.reference?.bootId != clock.bootId { return try noteReference(clock) }
        guard let shift = clock.shift(since: noted.reference) else { return false }
        let begin = try begin(shift, after: noted.position, requests)
        try append(.clockSet, by: nil, at: TimerMoment(now: begin, clock: clock))
        return true
    }

    /// Before a change of a timer. A clock that was set back before there was a row to compare it with is recognised by entries
    /// that are later than the present. Returns whether a row was appended.
    func noteClock(_ clock: ClockReference?, after board: TimerBoard) throws -> Bool {
        if board.isBehind(clock) { return try noteClock(clock, before: []) }
        guard try board.needsReference(clock, at: receivedAt) || hasLaterEntries(after: board.lastSetting)
        else { return false }
        try append(.clockSet, by: nil, at: TimerMoment(now: receivedAt, clock: clock))
        return true
    }

    private func noteReference(_ clock: ClockReference) throws -> Bool {
        if notedClock?.restingBoot == clock.bootId { return false }
        try TimerRows.update(&timers, db)
        notedClock?.restingBoot = clock.bootId
        guard timers.needsReference(clock, at: receivedAt) else { return false }
        try append(.clockSet, by: nil, at: TimerMoment(now: receivedAt, clock: clock))
        return true
    }

    private func noted() throws -> NotedClock {
        if let notedClock { return notedClock }
        let sql = """
            SELECT position, text FROM journal WHERE kind = \(RowKind.timerEvent) AND fileKey IS NULL
            AND text LIKE '%clock=%' ORDER BY position DESC LIMIT 1
            """
        let last = try db.statement(sql).first { row in
            NotedClock(
                position: try row["position"], reference: TimerRowContent(text: try row["text"])?.clock)
        }
        let noted = last ?? NotedClock(position: 0, reference: nil)
        notedClock = noted
        return noted
    }

    /// The time by the new clock at which the last row of the old one is over. Requests that waited while the clock was set are
    /// of the old clock too if their times are.
    private func begin(_ shift: Duration, after position: Int64, _ requests: [Request]) throws -> Timestamp {
        let sql: StaticString = """
            SELECT max(receivedAt) FROM (SELECT receivedAt FROM journal
                WHERE position >= :position AND fileKey IS NULL ORDER BY position DESC LIMIT 1000)
            """
        let latest = try db.statement(sql).bind("position", position).time() ?? receivedAt
        let waiting = requests.map(\.row.timestamp).filter { latest < $0 && $0 <= receivedAt - shift }
            .filter { $0 <= latest + shift }.max()
        return min((waiting ?? latest) + .microseconds(1) + shift, receivedAt)
    }

    private func hasLaterEntries(after setting: Position) throws -> Bool {
        let sql = """
            SELECT max(EXISTS (SELECT 1 FROM journalRow WHERE kind <> \(RowKind.void) AND kind = \(RowKind.entry)
                AND locationKey = location.key AND countedAt > :time AND position > :setting AND fileKey IS NULL))
            FROM location
            """
        return try db.statement(sql).bind("time", receivedAt + Self.tolerance).bind("setting", setting)
            .integer() == 1
    }
}
