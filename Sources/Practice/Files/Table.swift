import CounterModel
import Linux
import SQL

/// A table as a list of its columns: made, read and written from this one description.
struct Table<Record> {
    let name: String
    let columns: [Column<Record>]
    /// A record to read into.
    let blank: Record

    init(_ name: String, of blank: Record, _ columns: Column<Record>...) {
        (self.name, self.blank, self.columns) = (name, blank, columns)
    }

    var schema: String {
        let lines = columns.map { "\($0.name) \($0.declaration)" }
        return "CREATE TABLE \(name) (\(lines.joined(separator: ", "))) STRICT;"
    }

    /// The records, as an `ORDER BY` or another clause asks for.
    func all(_ clause: String = "", in db: Connection) throws -> [Record] {
        try db.statement("SELECT * FROM \(name) \(clause)").all(record)
    }

    func first(_ clause: String = "", in db: Connection) throws -> Record? {
        try db.statement("SELECT * FROM \(name) \(clause)").first(record)
    }

    private func record(_ row: borrowing Row) throws -> Record {
        var record = blank
        for column in columns { try column.read(row, &record) }
        return record
    }

    /// Adds records; `replacing` those of the same key.
    func insert(_ records: some Sequence<Record>, replacing: Bool = false, into db: Connection) throws {
        let (names, values) = (columns.map { "\($0.name)" }, columns.map { ":\($0.name)" })
        let statement = try db.statement(
            """
            INSERT \(replacing ? "OR REPLACE " : "")INTO \(name) (\(names.joined(separator: ", "))) \
            VALUES (\(values.joined(separator: ", ")))
            """)
        for record in records {
            for column in columns { try column.write(statement, record) }
            try statement.run()
        }
    }

    /// Writes records in the place of all that there are.
    func replace(by records: some Sequence<Record>, in db: Connection) throws {
        try db.execute("DELETE FROM \(name)")
        try insert(records, into: db)
    }
}

/// A column, and how a value of a record is read from it and written to it.
///
/// Reading throws `SQLError` for any value that the program would not have written: a damaged file is an error in words, and never
/// a number that a sum or a conversion stops at. That the values are of their columns' types was examined when the file was opened.
struct Column<Record> {
    let name: StaticString
    let declaration: String
    let read: (borrowing Row, inout Record) throws -> Void
    let write: (Statement, Record) throws -> Void
}

extension Column {
    /// A column that is one property of the record. A value that is not admitted is damaged.
    init<Value: Storable>(
        _ name: StaticString, _ path: WritableKeyPath<Record, Value>, _ rule: String = "NOT NULL",
        where admits: @escaping (Value) -> Bool = { _ in true }
    ) {
        self.init(name: name, declaration: "\(Value.Stored.type) \(rule)") { row, record in
            record[keyPath: path] = try Self.value(of: row, name, admits)
        } write: { statement, record in
            try record[keyPath: path].stored.write(name, to: statement)
        }
    }

    /// A column that may be NULL.
    init<Value: Storable>(
        _ name: StaticString, _ path: WritableKeyPath<Record, Value?>,
        where admits: @escaping (Value) -> Bool = { _ in true }
    ) {
        self.init(name: name, declaration: Value.Stored.type) { row, record in
            let isNull = (row[name] as Int64?) == nil
            record[keyPath: path] = isNull ? nil : try Self.value(of: row, name, admits)
        } write: { statement, record in
            guard let value = record[keyPath: path] else {
                return _ = try statement.bind(name, nil as Int64?)
            }
            try value.stored.write(name, to: statement)
        }
    }

    private static func value<Value: Storable>(
        of row: borrowing Row, _ name: StaticString, _ admits: (Value) -> Bool
    ) throws(SQLError) -> Value {
        let value = Value(stored: try Value.Stored.read(name, of: row))
        guard let value, admits(value) else { throw row.damaged(name) }
        return value
    }

    init(_ name: StaticString, _ path: WritableKeyPath<Record, Int>, in range: ClosedRange<Int>) {
        self.init(name, path, where: range.contains)
    }

    /// A text that was typed as a name, or is one of the program's own words.
    static func name(_ name: StaticString, _ path: WritableKeyPath<Record, String>) -> Column {
        Column(name, path, where: Reward.admits)
    }

    /// A column that is no part of the record; `nil` lets SQLite choose a key.
    static func constant(_ name: StaticString, _ declaration: String, _ value: Int64?) -> Column {
        Column(name: name, declaration: declaration, read: { _, _ in }) { statement, _ in
            try statement.bind(name, value)
        }
    }
}

extension Row {
    func damaged(_ name: StaticString) -> SQLError {
        .contradiction("\(name) has a value that this program never writes")
    }
}

// MARK: - Values

/// What SQLite stores.
protocol Primitive {
    static var type: String { get }
    static func read(_ name: StaticString, of row: borrowing Row) throws(SQLError) -> Self
    func write(_ name: StaticString, to statement: Statement) throws(SQLError)
}

extension Int64: Primitive {
    static var type: String { "INTEGER" }
    static func read(_ name: StaticString, of row: borrowing Row) throws(SQLError) -> Int64 { try row[name] }
    func write(_ name: StaticString, to statement: Statement) throws(SQLError) {
        try statement.bind(name, self)
    }
}

extension Double: Primitive {
    static var type: String { "REAL" }
    static func read(_ name: StaticString, of row: borrowing Row) throws(SQLError) -> Double {
        guard let value = row[name] as Double? else { throw row.damaged(name) }
        return value
    }
    func write(_ name: StaticString, to statement: Statement) throws(SQLError) {
        try statement.bind(name, self)
    }
}

extension String: Primitive {
    static var type: String { "TEXT" }
    static func read(_ name: StaticString, of row: borrowing Row) throws(SQLError) -> String {
        try row[name]
    }
    func write(_ name: StaticString, to statement: Statement) throws(SQLError) {
        try statement.bind(name, self)
    }
}

/// A type of which a property of a record is. The program adds to numbers, so they end long before an `Int` does, and long after
/// any player has stopped: a number outside was not written by it.
protocol Storable {
    associatedtype Stored: Primitive
    /// `nil` for a value that the program never writes.
    init?(stored: Stored)
    var stored: Stored { get }
}

extension Int64: Storable {
    static let counts: ClosedRange<Int64> = 0...1_000_000_000_000
    init?(stored: Int64) { if Self.counts.contains(stored) { self = stored } else { return nil } }
    var stored: Int64 { self }
}

extension Int: Storable {
    init?(stored: Int64) { if Int64.counts.contains(stored) { self = Int(stored) } else { return nil } }
    var stored: Int64 { Int64(self) }
}

extension Bool: Storable {
    init?(stored: Int64) { if 0...1 ~= stored { self = stored == 1 } else { return nil } }
    var stored: Int64 { self ? 1 : 0 }
}

/// Mistakes and hints per level, and seconds.
extension Double: Storable {
    init?(stored: Double) { if 0...1e12 ~= stored { self = stored } else { return nil } }
    var stored: Double { self }
    static func isShare(_ value: Double) -> Bool { 0...1 ~= value }
}

/// A share.
extension Float: Storable {
    init?(stored: Double) { if Double.isShare(stored) { self = Float(stored) } else { return nil } }
    var stored: Double { Double(self) }
}

/// Microseconds, up to some 300 years.
extension Duration: Storable {
    init?(stored: Int64) {
        if 0...10_000_000_000_000_000 ~= stored { self = .microseconds(stored) } else { return nil }
    }
    var stored: Int64 { microseconds }
}

/// Microseconds since 1970.
extension Timestamp: Storable {
    init?(stored: Int64) {
        self.init(microseconds: stored)
        if !Self.journalTimes.contains(self) { return nil }
    }
    var stored: Int64 { microseconds }
}

extension String: Storable {
    init?(stored: String) { self = stored }
    var stored: String { self }
}

extension CalendarDate: Storable {
    init?(stored: String) { self.init(iso8601: stored) }
    var stored: String { description }
}

extension Storable where Self: RawRepresentable, RawValue == String {
    init?(stored: String) { self.init(rawValue: stored) }
    var stored: String { rawValue }
}

extension ActivityType: Storable {}
extension CoinReason.Kind: Storable {}

/// Words with spaces between them.
extension [ActivityType]: Storable {
    init?(stored: String) {
        let words = stored.split(separator: " ")
        self = words.compactMap { ActivityType(rawValue: String($0)) }
        if count != words.count { return nil }
    }
    var stored: String { map(\.rawValue).joined(separator: " ") }
}
