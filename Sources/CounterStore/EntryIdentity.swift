import CounterModel
import GRDB

/// Tells whether something was appended before, by what identifies it.
///
/// Numbers of devices and lines of files mostly ascend, so the highest known one settles most questions without
/// a search.
final class EntryIdentity {
    enum Verdict {
        case new
        case known(Int64)
        /// It counts, with the epoch to give it.
        case numbered(epoch: Int)
        /// Its number is another event's, so the device has started again.
        case numberedInNewEpoch(Int)
    }

    /// The numbers of a device since it started last.
    private struct Epoch {
        let number: Int
        var lowest: Int
        var highest: Int
    }

    private let db: Database
    private var highestLines: [Int64: Int] = [:]
    private var highestNumbers: [Int64: Int] = [:]
    private var epochs: [Int64: Epoch] = [:]

    init(_ db: Database) {
        self.db = db
    }

    /// The position of the row that was read from a line; nil where none was.
    func position(file: Int64, line: Int) throws -> Int64? {
        let sql = "SELECT max(line) FROM journal WHERE fileKey = ?"
        let highest = try highestLines[file] ?? Int.fetchOne(db.cachedStatement(sql: sql), arguments: [file])
        guard let highest, line <= highest else {
            highestLines[file] = line
            return nil
        }
        highestLines[file] = highest
        return try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT position FROM journal WHERE fileKey = ? AND line = ?"),
            arguments: [file, line])
    }

    /// What a device's number says about an entry.
    func verdict(device: Int64, number: Int, location: Int64, timestamp: Int64, delta: Int) throws -> Verdict
    {
        let epoch = try epoch(of: device)?.number ?? 0
        guard try !isHighest(number, of: device) else { return .numbered(epoch: epoch) }
        let sql = """
            SELECT position, epoch, locationKey = ? AND timestamp = ? AND delta = ? FROM journal
            WHERE deviceKey = ? AND sequenceNumber = ?
            """
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: sql), arguments: [location, timestamp, delta, device, number])
        if let same = rows.first(where: { $0[2] }) { return .known(same[0]) }
        guard rows.contains(where: { $0[1] == epoch }) else { return .numbered(epoch: epoch) }
        let (next, overflow) = epoch.addingReportingOverflow(1)
        return .numberedInNewEpoch(try (overflow ? nil : next).orCorrupt())
    }

    /// Notes that an entry has been appended with a number, in the device's present epoch.
    func note(device: Int64, number: Int, by position: Int64) throws {
        highestNumbers[device] = max(highestNumbers[device] ?? number, number)
        guard var epoch = try epoch(of: device) else {
            return try open(epoch: 0, of: device, number: number, by: position)
        }
        if number > epoch.highest {
            try insertGap(after: epoch.highest, before: number, in: epoch, of: device, by: position)
            epoch.highest = number
        } else if number < epoch.lowest {
            try insertGap(after: number, before: epoch.lowest, in: epoch, of: device, by: position)
            epoch.lowest = number
        } else {
            try fillGap(with: number, in: epoch, of: device)
        }
        epochs[device] = epoch
    }

    /// Notes the entry by which a device has started, or started again.
    func open(epoch: Int, of device: Int64, number: Int, by position: Int64) throws {
        highestNumbers[device] = max(highestNumbers[device] ?? number, number)
        try epochs[device].map { try save($0, of: device) }
        epochs[device] = Epoch(number: epoch, lowest: number, highest: number)
        try db.cachedStatement(sql: "INSERT INTO epoch VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [device, epoch, position, number, number])
    }

    /// Writes what has changed.
    func save() throws {
        for (device, epoch) in epochs { try save(epoch, of: device) }
    }

    private func save(_ epoch: Epoch, of device: Int64) throws {
        let sql = "UPDATE epoch SET lowest = ?, highest = ? WHERE deviceKey = ? AND epoch = ?"
        try db.cachedStatement(sql: sql).execute(
            arguments: [epoch.lowest, epoch.highest, device, epoch.number])
    }

    private func epoch(of device: Int64) throws -> Epoch? {
        if let epoch = epochs[device] { return epoch }
        let sql = "SELECT epoch, lowest, highest FROM epoch WHERE deviceKey = ? ORDER BY epoch DESC LIMIT 1"
        let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [device])
        let epoch = row.map { Epoch(number: $0[0], lowest: $0[1], highest: $0[2]) }
        epochs[device] = epoch
        return epoch
    }

    private func insertGap(
        after low: Int, before high: Int, in epoch: Epoch, of device: Int64, by position: Int64
    ) throws {
        guard low + 1 < high else { return }
        try db.cachedStatement(sql: "INSERT INTO gap VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [device, epoch.number, low + 1, high - 1, position])
    }

    /// A number that was missing has come after all: what is left of its gap stays, in two parts where it was within.
    private func fillGap(with number: Int, in epoch: Epoch, of device: Int64) throws {
        let find = """
            SELECT first, last, noticedBy FROM gap WHERE deviceKey = ? AND epoch = ? AND first <= ?
            ORDER BY first DESC LIMIT 1
            """
        let arguments: StatementArguments = [device, epoch.number, number]
        let gap = try Row.fetchOne(db.cachedStatement(sql: find), arguments: arguments).orCorrupt()
        let (first, last, position): (Int, Int, Int64) = (gap[0], gap[1], gap[2])
        try db.cachedStatement(sql: "DELETE FROM gap WHERE deviceKey = ? AND epoch = ? AND first = ?")
            .execute(arguments: [device, epoch.number, first])
        try insertGap(after: first - 1, before: number, in: epoch, of: device, by: position)
        try insertGap(after: number, before: last + 1, in: epoch, of: device, by: position)
    }

    private func isHighest(_ number: Int, of device: Int64) throws -> Bool {
        let sql = """
            SELECT max(sequenceNumber) FROM journal WHERE deviceKey = ? AND sequenceNumber IS NOT NULL
            """
        let known =
            try highestNumbers[device]
            ?? Int.fetchOne(db.cachedStatement(sql: sql), arguments: [device])
        guard let known else { return true }
        highestNumbers[device] = known
        return number > known
    }
}
