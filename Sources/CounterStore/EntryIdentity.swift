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

    private let db: Database
    private var highestLines: [Int64: Int] = [:]
    private var highestNumbers: [Int64: Int] = [:]
    private var epochs: [Int64: Int] = [:]

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
        let epoch = try currentEpoch(of: device)
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

    /// Notes that an entry has been appended with a number.
    func note(device: Int64, number: Int) {
        highestNumbers[device] = max(highestNumbers[device] ?? number, number)
    }

    /// Notes the entry by which a device has started again.
    func open(epoch: Int, of device: Int64, by position: Int64) throws {
        epochs[device] = epoch
        try db.cachedStatement(sql: "INSERT INTO epoch VALUES (?, ?, ?)")
            .execute(arguments: [device, epoch, position])
    }

    private func currentEpoch(of device: Int64) throws -> Int {
        if let epoch = epochs[device] { return epoch }
        let sql = "SELECT max(epoch) FROM epoch WHERE deviceKey = ?"
        let epoch = try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [device]) ?? 0
        epochs[device] = epoch
        return epoch
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
