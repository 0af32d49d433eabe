package import CounterModel
import Glibc
package import Linux
import SQL

/// Records in the journal which input devices were connected and disconnected. They can then be named and assigned while
/// they are absent, and a silent device can be told from an absent one.
package struct ConnectedDevices {
    private let journal: SQLiteJournal
    private var connected: Set<Identifier> = []

    package init(_ journal: SQLiteJournal) { self.journal = journal }

    /// Records what has changed. Where the journal is locked, the next change records it. `present`: the input devices that are
    /// connected now, each with what it calls itself.
    package mutating func note(
        _ present: [(id: Identifier, name: String)], at time: Timestamp, location: (Identifier) -> Identifier
    ) {
        if journal.role == .viewer { return }
        let new = present.filter { !connected.contains($0.id) }
        let gone = connected.subtracting(present.map(\.id))
        if new.isEmpty, gone.isEmpty { return }
        let came = new.map { ($0.id, $0.name, location($0.id)) }
        do {
            try journal.note(came: came, went: gone.sorted(), at: time, keysReadBy: LoginName.current)
            connected = Set(present.map(\.id))
        } catch { return }
    }
}

// MARK: - The table

/// When which devices were connected, and to which process. Nothing is written while a device stays connected. A process that was
/// killed leaves an open row, which ends when the device was last received.
enum PresenceTable {
    static func begin(_ db: Connection, device: Int64, location: Int64, at time: Timestamp) throws {
        let owner = ProcessIdentity.current
        try db.statement("INSERT INTO presence VALUES (:device, :location, :since, NULL, :process, :started)")
            .bind("device", device).bind("location", location).bind("since", time)
            .bind("process", owner.number).bind("started", owner.startedAt).run()
    }

    /// Ends the connection that this process has begun last. The open rows of a process may be many, those of a device are among
    /// its latest.
    static func end(_ db: Connection, device: Int64, at time: Timestamp) throws {
        let owner = ProcessIdentity.current
        let sql: StaticString = """
            UPDATE presence SET until = CASE WHEN since > :until THEN since ELSE :until END
            WHERE rowid = (SELECT rowid FROM presence INDEXED BY presenceOf
                WHERE until IS NULL AND deviceKey = :device AND process = :process AND started = :started
                ORDER BY since DESC LIMIT 1)
            """
        try db.statement(sql).bind("until", time).bind("device", device)
            .bind("process", owner.number).bind("started", owner.startedAt).run()
    }

    /// Ends rows that killed processes left open, at most so many of each process. Returns whether none is left.
    static func endAbandoned(_ db: Connection, most: Int = 1_000) throws -> Bool {
        let sql = """
            UPDATE presence SET until = coalesce(
                (SELECT lastSeenAt FROM device WHERE device.key = deviceKey AND lastSeenAt > since), since)
            WHERE rowid IN (SELECT rowid FROM presence
                WHERE until IS NULL AND process = :process AND started = :started LIMIT :most)
            """
        var isDone = true
        for owner in try owners(db) where !owner.isAlive {
            try db.statement(sql).bind("process", owner.number).bind("started", owner.startedAt)
                .bind("most", most).run()
            if db.changes == most { isDone = false }
        }
        return isDone
    }

    /// The connections of this moment, by the device's key.
    static func connections(_ db: Connection) throws -> [Int64: DeviceConnection] {
        var connections: [Int64: DeviceConnection] = [:]
        let sql = """
            SELECT deviceKey, since, location.id AS location FROM presence JOIN location ON location.key = locationKey
            WHERE until IS NULL AND process = :process AND started = :started ORDER BY since
            """
        for owner in try owners(db) where owner.isAlive {
            let (program, isOwn) = (owner.program, owner == ProcessIdentity.current)
            try db.statement(sql).bind("process", owner.number).bind("started", owner.startedAt).forEach {
                row in
                connections[try row["deviceKey"]] = DeviceConnection(
                    since: try row["since"], locationId: try row["location"],
                    program: program, isOwn: isOwn)
            }
        }
        return connections
    }

    /// When a location's devices were connected. An open row of a living process lasts to the end of the range.
    static func presence(_ db: Connection, of location: Int64, from: Int64, to: Int64) throws
        -> [Range<Timestamp>]
    {
        let sql = """
            SELECT since, until, process, started,
                (SELECT lastSeenAt FROM device WHERE device.key = deviceKey) AS lastSeenAt
            FROM presence WHERE locationKey = :location AND since < :to AND coalesce(until, :to) >= :from
            """
        return try db.statement(sql).bind("location", location).bind("to", to).bind("from", from).all { row in
            let since: Int64 = try row["since"]
            let until = try end(row, whileConnected: to)
            return Timestamp(microseconds: since)..<Timestamp(microseconds: max(since, until))
        }
    }

    /// When the connection of a row with its device's `lastSeenAt` ended.
    static func end(_ row: borrowing Row, whileConnected end: Int64) throws -> Int64 {
        if let stored: Int64 = row["until"] { return stored }
        let lastSeenAt: Int64? = row["lastSeenAt"]
        let owner = ProcessIdentity(number: try row["process"], startedAt: try row["started"])
        return try owner.isAlive ? end : lastSeenAt ?? row["since"]
    }

    private static func owners(_ db: Connection) throws -> [ProcessIdentity] {
        let sql = "SELECT DISTINCT process, started FROM presence WHERE until IS NULL"
        return try db.statement(sql).all { row in
            ProcessIdentity(number: try row["process"], startedAt: try row["started"])
        }
    }
}

/// A process, distinguished by its start from a later one with the same number.
struct ProcessIdentity: Hashable {
    /// The bits of `startedAt` that hold the ticks: 348 years of 100 a second.
    private static let ticksWidth = 40

    let number: Int64
    /// When it was started: in the low 40 bits the ticks since the kernel started (field 22 of proc_pid_stat(5)), above them 23
    /// bits of a hash of the kernel's boot id. The ticks alone in rows of earlier versions, and where there is no boot id; 0 if the
    /// ticks cannot be read.
    let startedAt: Int64

    static let current = ProcessIdentity(running: Int64(getpid()))

    var isAlive: Bool {
        let ticks = ProcessIdentity.ticks(number)
        return startedAt > 0 && (startedAt == ticks || self == ProcessIdentity(running: number))
    }

    init(number: Int64, startedAt: Int64) { (self.number, self.startedAt) = (number, startedAt) }

    /// The process that has a number now, under a boot of the kernel.
    init(running number: Int64, boot: String? = Clock.bootId) {
        self.number = number
        let ticks = ProcessIdentity.ticks(number)
        startedAt = ticks > 0 ? ticks | ProcessIdentity.hash(boot ?? "") << ProcessIdentity.ticksWidth : 0
    }

    /// FNV-1a with 32 bits, folded to 23; 0 for an empty text.
    private static func hash(_ text: String) -> Int64 {
        if text.isEmpty { return 0 }
        let hash = UInt32.fnv1a(text)
        return Int64(hash >> 23 ^ hash & 0x7F_FFFF)
    }

    /// How the program was called, without its folder and its options: `counter listen`. Only `counter` where that cannot be read.
    var program: String {
        let words = shortText(of: "/proc/\(number)/cmdline")?.utf8.split(separator: 0) ?? []
        let name = words.first?.split(separator: UInt8(ascii: "/")).last
        let program = name.map { String(Substring($0)) } ?? "counter"
        guard words.count > 1, words[1].allSatisfy({ (97...122).contains($0) }) else { return program }
        return "\(program) \(Substring(words[1]))"
    }

    private static func ticks(_ number: Int64) -> Int64 {
        // The name is in parentheses and may contain any character; the fields after it are the third and following.
        guard let text = shortText(of: "/proc/\(number)/stat"), let end = text.lastIndex(of: ")") else {
            return 0
        }
        let fields = text[end...].split(separator: " ").dropFirst()
        return fields.count > 19 ? Int64(fields[fields.startIndex + 19]) ?? 0 : 0
    }
}
