import CounterModel
import SQL

/// Detects entries that were appended before.
///
/// Numbers of devices and lines of files mostly ascend, so the highest known one answers most questions without a
/// search.
final class EntryIdentity {
    enum Verdict {
        case new
        case known(Int64)
        /// It counts, in this epoch.
        case numbered(epoch: Int)
        /// Another event has its number, so the device has started again.
        case numberedInNewEpoch(Int)
    }

    /// The numbers of a device since it last started.
    private struct Epoch {
        let number: Int
        var lowest: Int
        var highest: Int
    }

    private let db: Connection
    private var highestLines: [Int64: Int] = [:]
    private var highestNumbers: [Int64: Int] = [:]
    private var epochs: [Int64: Epoch] = [:]

    init(_ db: Connection) {
        self.db = db
    }

    /// The position of the row that was read from a line; nil if there is none.
    func position(file: Int64, line: Int) throws -> Int64? {
        guard let highest = try highestLines[file] ?? highestLine(of: file), line <= highest else {
            highestLines[file] = line
            return nil
        }
        highestLines[file] = highest
        return try db.statement("SELECT position FROM journal WHERE fileKey = :file AND line = :line")
            .bind("file", file).bind("line", line).integer()
    }

    private func highestLine(of file: Int64) throws -> Int? {
        try db.statement("SELECT max(line) FROM journal WHERE fileKey = :file").bind("file", file).integer()
            .map { Int($0) }
    }

    /// Whether an entry is new, by the number its device gave it.
    func verdict(device: Int64, number: Int, location: Int64, timestamp: Int64, delta: Int) throws -> Verdict
    {
        let epoch = try epoch(of: device)?.number ?? 0
        guard try !isHighest(number, of: device) else { return .numbered(epoch: epoch) }
        let sql: StaticString = """
            SELECT position, epoch, locationKey = :location AND timestamp = :timestamp AND delta = :delta AS isSame
            FROM journal WHERE deviceKey = :device AND sequenceNumber = :number
            """
        let rows = try db.statement(sql).bind("location", location).bind("timestamp", timestamp)
            .bind("delta", delta).bind("device", device).bind("number", number).all { row in
                (
                    position: try row["position"] as Int64, epoch: row["epoch"] as Int?,
                    isSame: try row["isSame"] as Bool
                )
            }
        if let same = rows.first(where: \.isSame) { return .known(same.position) }
        guard rows.contains(where: { $0.epoch == epoch }) else { return .numbered(epoch: epoch) }
        let (next, overflow) = epoch.addingReportingOverflow(1)
        return .numberedInNewEpoch(try (overflow ? nil : next).orCorrupt())
    }

    /// Notes the number of an entry that was appended, in the device's present epoch.
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

    /// Begins an epoch with the entry that shows that the device has started, or started again.
    func open(epoch: Int, of device: Int64, number: Int, by position: Int64) throws {
        highestNumbers[device] = max(highestNumbers[device] ?? number, number)
        try epochs[device].map { try save($0, of: device) }
        epochs[device] = Epoch(number: epoch, lowest: number, highest: number)
        try db.statement("INSERT INTO epoch VALUES (:device, :epoch, :position, :number, :number)")
            .bind("device", device).bind("epoch", epoch).bind("position", position).bind("number", number)
            .run()
    }

    /// Writes what has changed.
    func save() throws {
        for (device, epoch) in epochs { try save(epoch, of: device) }
    }

    private func save(_ epoch: Epoch, of device: Int64) throws {
        let sql: StaticString = """
            UPDATE epoch SET lowest = :lowest, highest = :highest WHERE deviceKey = :device AND epoch = :epoch
            """
        try db.statement(sql).bind("lowest", epoch.lowest).bind("highest", epoch.highest)
            .bind("device", device).bind("epoch", epoch.number).run()
    }

    private func epoch(of device: Int64) throws -> Epoch? {
        if let epoch = epochs[device] { return epoch }
        let sql: StaticString = """
            SELECT epoch, lowest, highest FROM epoch WHERE deviceKey = :device ORDER BY epoch DESC LIMIT 1
            """
        let epoch = try db.statement(sql).bind("device", device).first { row in
            Epoch(number: try row["epoch"], lowest: try row["lowest"], highest: try row["highest"])
        }
        epochs[device] = epoch
        return epoch
    }

    private func insertGap(
        after low: Int, before high: Int, in epoch: Epoch, of device: Int64, by position: Int64
    ) throws {
        guard low + 1 < high else { return }
        try db.statement("INSERT INTO gap VALUES (:device, :epoch, :first, :last, :position)")
            .bind("device", device).bind("epoch", epoch.number).bind("first", low + 1).bind("last", high - 1)
            .bind("position", position).run()
    }

    /// A missing number has come: shortens its gap, or divides it in two.
    private func fillGap(with number: Int, in epoch: Epoch, of device: Int64) throws {
        let find = """
            SELECT first, last, noticedBy FROM gap
            WHERE deviceKey = :device AND epoch = :epoch AND first <= :number ORDER BY first DESC LIMIT 1
            """
        let gap = try db.statement(find).bind("device", device).bind("epoch", epoch.number)
            .bind("number", number)
            .first { row -> (Int, Int, Int64) in (try row["first"], try row["last"], try row["noticedBy"]) }
        let (first, last, position) = try gap.orCorrupt()
        try db.statement("DELETE FROM gap WHERE deviceKey = :device AND epoch = :epoch AND first = :first")
            .bind("device", device).bind("epoch", epoch.number).bind("first", first).run()
        try insertGap(after: first - 1, before: number, in: epoch, of: device, by: position)
        try insertGap(after: number, before: last + 1, in: epoch, of: device, by: position)
    }

    private func isHighest(_ number: Int, of device: Int64) throws -> Bool {
        guard let known = try highestNumbers[device] ?? highestNumber(of: device) else { return true }
        highestNumbers[device] = known
        return number > known
    }

    private func highestNumber(of device: Int64) throws -> Int? {
        let sql: StaticString = """
            SELECT max(sequenceNumber) FROM journal WHERE deviceKey = :device AND sequenceNumber IS NOT NULL
            """
        return try db.statement(sql).bind("device", device).integer().map { Int($0) }
    }
}
