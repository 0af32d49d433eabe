import CounterModel
import SQL

/// Detects entries that were appended before.
///
/// Numbers of devices and lines of files mostly ascend, so the highest known one answers most questions without a
/// search.
final class EntryIdentity {
    enum Verdict {
        case new
        /// The same event is at this position.
        case known(Int64)
        /// Other events at these positions have its number.
        case taken([Int64])
    }

    /// The numbers of a device since it last started, in the order of its entries.
    private struct Epoch {
        let number: Int
        let openedBy: Int64
        var lowest: Int
        var highest: Int
        /// Its last entry in the order.
        var last: Int64
        var lastOrderedAt: Int64
    }

    private let db: Connection
    private var highestLines = Recent<Int64, Int>()
    private var highestNumbers = Recent<Int64, Int>()
    private var epochs = Recent<Int64, Epoch>()
    /// The devices of which an entry has come that stands before others of theirs.
    private var disordered: Set<Int64> = []

    init(_ db: Connection) { self.db = db }

    /// The position of the row that was read from a line; nil if there is none.
    func position(file: Int64, line: Int) throws -> Int64? {
        let sql = "SELECT max(line) FROM journal WHERE fileKey = :file"
        let known = try highestLines[file] ?? db.statement(sql).bind("file", file).integer().map { Int($0) }
        guard let highest = known, line <= highest else {
            highestLines[file] = line
            return nil
        }
        highestLines[file] = highest
        return try db.statement("SELECT position FROM journal WHERE fileKey = :file AND line = :line")
            .bind("file", file).bind("line", line).integer()
    }

    /// Within how long an event that has no time of its own, only that of its receipt, is the same as an earlier one with its number: long
    /// enough for a device that sends again, and too short for one that was switched off and counts from 1.
    private static let sameWithin = Duration.seconds(3_600)

    /// Whether an entry is new, by the number its device gave it. `isAtReceipt`: its time is not its device's.
    func verdict(
        device: Int64, number: Int, location: Int64, timestamp: Int64, isAtReceipt: Bool, delta: Int
    ) throws -> Verdict {
        if try isHighest(number, of: device) { return .new }
        let sql: StaticString = """
            SELECT position, locationKey = :location AND abs(timestamp - :timestamp) <= :apart AND delta = :delta AS isSame
            FROM journal WHERE deviceKey = :device AND sequenceNumber = :number
            """
        let apart = isAtReceipt ? Self.sameWithin.microseconds : 0
        let rows = try db.statement(sql).bind("location", location).bind("timestamp", timestamp)
            .bind("apart", apart)
            .bind("delta", delta).bind("device", device).bind("number", number).all { row in
                (position: try row["position"] as Int64, isSame: try row["isSame"] as Bool)
            }
        if let same = rows.first(where: \.isSame) { return .known(same.position) }
        return rows.isEmpty ? .new : .taken(rows.map(\.position))
    }

    /// Notes the number of an entry that was appended. `order`: the entry's place in the order. Returns that it was accepted, or
    /// that it shows that the device has started again.
    func note(
        _ number: Int, of device: Int64, by position: Position, _ time: Int64, _ verdict: Verdict,
        order: () throws -> RowOrder
    ) throws -> Outcome {
        highestNumbers[device] = max(highestNumbers[device] ?? number, number)
        if disordered.contains(device) { return late(position, of: device, verdict) }
        guard var epoch = try epoch(of: device) else {
            try open(0, of: device, number, by: position.number, time)
            return .accepted(position)
        }
        let isAfter =
            try time > epoch.lastOrderedAt
            || time == epoch.lastOrderedAt && RowOrder.of(epoch.last, db) < order()
        guard isAfter else {
            disordered.insert(device)
            return late(position, of: device, verdict)
        }
        if case .taken(let rows) = verdict {
            let opening = try RowOrder.of(epoch.openedBy, db)
            if try rows.contains(where: { try RowOrder.of($0, db) >= opening }) {
                try save(epoch, of: device)
                try open(epoch.number + 1, of: device, number, by: position.number, time)
                return .acceptedInNewEpoch(position, epoch: epoch.number + 1)
            }
        }
        if number > epoch.highest {
            try insertGap(
                after: epoch.highest, before: number, in: epoch.number, of: device, by: position.number)
            epoch.highest = number
        } else if number < epoch.lowest {
            try insertGap(
                after: number, before: epoch.lowest, in: epoch.number, of: device, by: position.number)
            epoch.lowest = number
        } else {
            try fillGap(with: number, in: epoch.number, of: device)
        }
        (epoch.last, epoch.lastOrderedAt) = (position.number, time)
        epochs[device] = epoch
        return .accepted(position)
    }

    /// What is said of an entry that stands before others of its device; its epoch is known once all of them were gone through.
    private func late(_ position: Position, of device: Int64, _ verdict: Verdict) -> Outcome {
        guard case .taken = verdict else { return .accepted(position) }
        return .acceptedInNewEpoch(position, epoch: (epochs[device]?.number ?? 0) + 1)
    }

    /// Notes that another entry of a device counts than before.
    func invalidate(device: Int64) { disordered.insert(device) }

    /// Begins an epoch with the entry that shows that the device has started, or started again.
    private func open(_ epoch: Int, of device: Int64, _ number: Int, by position: Int64, _ orderedAt: Int64)
        throws
    {
        epochs[device] = Epoch(
            number: epoch, openedBy: position, lowest: number, highest: number, last: position,
            lastOrderedAt: orderedAt)
        try insert(ReplayedNumbers(openedBy: position, first: number), as: epoch, of: device)
    }

    private func insert(_ numbers: ReplayedNumbers, as epoch: Int, of device: Int64) throws {
        let sql: StaticString =
            "INSERT INTO epoch VALUES (:device, :epoch, :opener, :lowest, :highest, :last)"
        try db.statement(sql).bind("device", device).bind("epoch", epoch).bind("opener", numbers.openedBy)
            .bind("lowest", numbers.lowest).bind("highest", numbers.highest).bind("last", numbers.last).run()
    }

    func save() throws {
        for device in disordered {
            epochs[device] = nil
            try fold(device)
        }
        disordered = []
        try epochs.forEach { try save($1, of: $0) }
    }

    private func save(_ epoch: Epoch, of device: Int64) throws {
        let sql: StaticString = """
            UPDATE epoch SET lowest = :lowest, highest = :highest, last = :last
            WHERE deviceKey = :device AND epoch = :epoch
            """
        try db.statement(sql).bind("lowest", epoch.lowest).bind("highest", epoch.highest)
            .bind("last", epoch.last).bind("device", device).bind("epoch", epoch.number).run()
    }

    private func epoch(of device: Int64) throws -> Epoch? {
        if let epoch = epochs[device] { return epoch }
        let sql: StaticString = """
            SELECT epoch, openedBy, lowest, highest, last,
                (SELECT orderedAt FROM journalRow WHERE position = last) AS lastOrderedAt
            FROM epoch WHERE deviceKey = :device ORDER BY epoch DESC LIMIT 1
            """
        let epoch = try db.statement(sql).bind("device", device).first { row in
            Epoch(
                number: try row["epoch"], openedBy: try row["openedBy"], lowest: try row["lowest"],
                highest: try row["highest"], last: try row["last"], lastOrderedAt: try row["lastOrderedAt"])
        }
        epochs[device] = epoch
        return epoch
    }

    /// Computes the epochs of a device again.
    private func fold(_ device: Int64) throws {
        for table in ["epoch", "gap"] {
            try db.statement("DELETE FROM \(table) WHERE deviceKey = :device").bind("device", device).run()
        }
        let sql = """
            SELECT position, sequenceNumber FROM journalRow
            WHERE deviceKey = :device AND sequenceNumber IS NOT NULL AND copyOf IS NULL ORDER BY orderedAt, place
            """
        var epochs = DeviceEpochs()
        try db.statement(sql).bind("device", device).forEach { row in
            epochs.note(try row["sequenceNumber"], by: try row["position"])
        }
        for (number, epoch) in epochs.all.enumerated() {
            try insert(epoch, as: number, of: device)
            for gap in epoch.gaps {
                try insertGap(
                    after: gap.first - 1, before: gap.last + 1, in: number, of: device, by: gap.noticedBy)
            }
        }
    }

    private func insertGap(
        after low: Int, before high: Int, in epoch: Int, of device: Int64, by position: Int64
    ) throws {
        guard low + 1 < high else { return }
        try db.statement("INSERT INTO gap VALUES (:device, :epoch, :first, :last, :position)")
            .bind("device", device).bind("epoch", epoch).bind("first", low + 1).bind("last", high - 1)
            .bind("position", position).run()
    }

    /// A missing number has come: shortens its gap, or divides it in two.
    private func fillGap(with number: Int, in epoch: Int, of device: Int64) throws {
        let find = """
            SELECT first, last, noticedBy FROM gap
            WHERE deviceKey = :device AND epoch = :epoch AND first <= :number ORDER BY first DESC LIMIT 1
            """
        let gap = try db.statement(find).bind("device", device).bind("epoch", epoch).bind("number", number)
            .first { row -> (Int, Int, Int64) in (try row["first"], try row["last"], try row["noticedBy"]) }
        let (first, last, position) = try gap.orCorrupt()
        try db.statement("DELETE FROM gap WHERE deviceKey = :device AND epoch = :epoch AND first = :first")
            .bind("device", device).bind("epoch", epoch).bind("first", first).run()
        try insertGap(after: first - 1, before: number, in: epoch, of: device, by: position)
        try insertGap(after: number, before: last + 1, in: epoch, of: device, by: position)
    }

    private func isHighest(_ number: Int, of device: Int64) throws -> Bool {
        let sql: StaticString = """
            SELECT max(sequenceNumber) FROM journal WHERE deviceKey = :device AND sequenceNumber IS NOT NULL
            """
        let highest =
            try highestNumbers[device]
            ?? db.statement(sql).bind("device", device).integer().map { Int($0) }
        guard let highest else { return true }
        highestNumbers[device] = highest
        return number > highest
    }
}
