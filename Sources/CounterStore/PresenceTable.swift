import CounterModel
import GRDB
internal import Glibc

/// Since when which devices are connected, and to which process.
///
/// While a device is connected nothing is written. A process that was killed leaves a row open: such a row ends with the
/// last that was heard of the device.
enum PresenceTable {
    static func begin(_ db: Database, device: Int64, location: Int64, at time: Timestamp) throws {
        let owner = ProcessIdentity.current
        try db.cachedStatement(sql: "INSERT INTO presence VALUES (?, ?, ?, NULL, ?, ?)").execute(
            arguments: [device, location, time.microseconds, owner.number, owner.startedAt])
    }

    static func end(_ db: Database, device: Int64, at time: Timestamp) throws {
        let owner = ProcessIdentity.current
        let sql = """
            UPDATE presence SET until = max(since, ?)
            WHERE until IS NULL AND deviceKey = ? AND process = ? AND started = ?
            """
        try db.cachedStatement(sql: sql).execute(
            arguments: [time.microseconds, device, owner.number, owner.startedAt])
    }

    /// Ends what killed processes have left open.
    static func endAbandoned(_ db: Database) throws {
        let sql = """
            UPDATE presence SET until = max(since,
                coalesce((SELECT lastSeenAt FROM device WHERE device.key = deviceKey), since))
            WHERE until IS NULL AND process = ? AND started = ?
            """
        for owner in try owners(db) where !owner.isAlive {
            try db.execute(sql: sql, arguments: [owner.number, owner.startedAt])
        }
    }

    /// The devices that are connected now.
    static func connected(_ db: Database) throws -> Set<Int64> {
        var devices: Set<Int64> = []
        let sql = "SELECT deviceKey FROM presence WHERE until IS NULL AND process = ? AND started = ?"
        for owner in try owners(db) where owner.isAlive {
            devices.formUnion(try Int64.fetchAll(db, sql: sql, arguments: [owner.number, owner.startedAt]))
        }
        return devices
    }

    /// When a location's devices were connected. An open row of a living process lasts to the end of the range.
    static func presence(_ db: Database, of location: Int64, from: Int64, to: Int64) throws
        -> [Range<Timestamp>]
    {
        let sql = """
            SELECT since, until, process, started, (SELECT lastSeenAt FROM device WHERE device.key = deviceKey)
            FROM presence WHERE locationKey = ? AND since < ? AND coalesce(until, ?) >= ?
            """
        let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [location, to, to, from])
        return rows.map { row in
            let since: Int64 = row[0]
            let owner = ProcessIdentity(number: row[2], startedAt: row[3])
            let until: Int64 = row[1] ?? (owner.isAlive ? to : row[4] ?? since)
            return Timestamp(microseconds: since)..<Timestamp(microseconds: max(since, until))
        }
    }

    private static func owners(_ db: Database) throws -> [ProcessIdentity] {
        let sql = "SELECT DISTINCT process, started FROM presence WHERE until IS NULL"
        return try Row.fetchAll(db.cachedStatement(sql: sql)).map { row in
            ProcessIdentity(number: row[0], startedAt: row[1])
        }
    }
}

/// A process, told from a later one with the same number by when it started.
struct ProcessIdentity: Hashable {
    let number: Int64
    /// In ticks since the machine started: field 22 of proc_pid_stat(5); 0 where that cannot be read.
    let startedAt: Int64

    static let current = ProcessIdentity(number: Int64(getpid()), startedAt: started(Int64(getpid())))

    /// Whether it still runs.
    var isAlive: Bool { startedAt > 0 && ProcessIdentity.started(number) == startedAt }

    private static func started(_ number: Int64) -> Int64 {
        guard let file = fopen("/proc/\(number)/stat", "r") else { return 0 }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let text = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
        // The name is in parentheses and may hold anything; the fields after it are the third and on.
        guard let end = text.lastIndex(of: ")") else { return 0 }
        let fields = text[end...].split(separator: " ").dropFirst()
        return fields.count > 19 ? Int64(fields[fields.startIndex + 19]) ?? 0 : 0
    }
}
