import CBenchTwin
import CounterModel
import CounterStore
import CounterTUI
import Linux
import Reports
import TestSupport

/// A journal of many entries, one every 3 seconds: 20 million are almost two years.
final class LongJournal {
    private static let pause: Int64 = 3_000_000
    private static let hour: Int64 = 3_600_000_000

    private let count: Int64
    private let folder: ScratchFolder
    let journal: SQLiteJournal
    /// When its last entry was.
    let end: Timestamp

    /// Makes one. The entries are inserted with SQL, without the projections that `rebuild` is to compute.
    init(count: Int64 = 20_000_000) throws {
        self.count = count
        end = Timestamp(microseconds: count * Self.pause)
        folder = try ScratchFolder()
        journal = try SQLiteJournal(directory: folder.path, timezone: "UTC")
        let first = Entry(.in, deviceId: "bench", source: .hardware)
        let request = Request(
            locationId: Location.defaultId, timestamp: Timestamp(microseconds: 0), .entry(first))
        _ = try journal.append([request], receivedAt: Timestamp(microseconds: 0))
        let outside = try RawDatabase(journal.path)
        let trigger = try outside.texts("SELECT sql FROM sqlite_master WHERE name = 'journalOnlyGrows'")
        try outside.execute("DROP TRIGGER journalOnlyGrows")
        try outside.execute(
            """
            WITH RECURSIVE number(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
            INSERT INTO journal (kind, position, locationKey, timestamp, receivedAt, orderedAt, deviceKey, delta,
                source, continuesHold)
            SELECT 1, n, 1, n * \(Self.pause), n * \(Self.pause), n * \(Self.pause), 1, iif(n % 2, 1, -1), 1, 0
            FROM number
            """)
        for sql in trigger { try outside.execute(sql) }
        try outside.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Entries per second of `rebuild`, in millions.
    func rebuilt() throws -> Double {
        try JournalCost.rate(Int(count)) { try journal.rebuild() } / 1e6
    }

    /// Rows per second that the twin in C reads and adds up, in millions.
    func replayedByTwin() throws -> Double {
        var sum: Int64 = 0
        return try JournalCost.rate(Int(count)) {
            try JournalCost.check(twin_replay(journal.path, &sum))
        } / 1e6
    }

    /// Bytes of disk for each entry, including projections.
    func bytesPerEntry() throws -> Double {
        let outside = try RawDatabase(journal.path)
        return Double(try outside.number("PRAGMA page_count") * outside.number("PRAGMA page_size"))
            / Double(count)
    }

    /// Milliseconds for the KPIs of the last hours; the median.
    func kpis(ofLastHours hours: Int64) throws -> Double { try median { try addKPIs(ofLastHours: hours) } }

    /// The KPIs of the last hours, once.
    func addKPIs(ofLastHours hours: Int64) throws {
        let end = count * Self.pause / Self.hour
        let starts = (end - hours..<end).map { Timestamp(microseconds: $0 * Self.hour) }
        let location = Location(id: Location.defaultId, name: "", timezone: "UTC")
        let kpis = try journal.kpis(
            of: location, hours: starts, end: Timestamp(microseconds: end * Self.hour),
            now: Timestamp(microseconds: end * Self.hour), silence: 1_800_000_000)
        precondition(kpis.totalIn == Int(hours) * 600)
    }

    /// Milliseconds for the twin in C to read and add up the same minutes; the median.
    func minutesByTwin(ofLastHours hours: Int64) throws -> Double {
        try median { try addMinutesByTwin(ofLastHours: hours) }
    }

    /// The same by the twin in C, once.
    func addMinutesByTwin(ofLastHours hours: Int64) throws {
        let end = count * Self.pause / Self.hour * 60
        var sum: Int64 = 0
        try JournalCost.check(twin_minutes(journal.path, end - hours * 60, end - 1, &sum))
    }

    func median(_ body: () throws -> Void) rethrows -> Double {
        try Samples(
            (0..<20).map { _ in
                let start = ContinuousClock.now
                try body()
                return ContinuousClock.now - start
            }
        ).quantile(0.5)
    }
}

extension LongJournal {
    /// Milliseconds to compute the cells of the History screen, 200 by 60, at the end of the journal; the median.
    func firstPaint(of selection: HistorySelection) throws -> Double {
        let calendar = OperationalCalendar(zone: .utc)
        let location = Location(id: Location.defaultId, name: "", timezone: "UTC")
        let range = try selection.range(in: calendar, now: end)
        return try median {
            let reading = try HistoryReading(
                of: LocationSpan(location, range), in: journal, silentAfter: .seconds(1_800), at: end,
                after: nil, deviceName: \.text)
            let screens = Screens()
            screens.history.reading = reading
            let blank = Frame(size: Size(columns: 200, rows: 60))
            screens.action(for: .character("3"), on: blank)?()
            let capabilities = Capabilities(glyphs: .quadrants, palette: .many)
            let frame = ScreensView(capabilities).draw(screens, size: blank.grid.size)
            precondition(frame.grid.lines.contains { $0.contains("up \(reading.summary.facts[0].value)") })
        }
    }
}
