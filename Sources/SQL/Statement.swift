import CSQLite
package import Linux

/// A prepared statement: bind its parameters by name (`:name`), then run it.
///
/// After each run it can be bound and run again. All parameters must be bound for each run.
package final class Statement {
    let handle: OpaquePointer
    let parameters: NameTable
    let columns: NameTable
    /// A bit for each parameter that was bound since the last run.
    private var bound: UInt64 = 0
    private let allBound: UInt64
    /// A bit for each parameter that is not NULL: a new statement's are all NULL, and SQLite keeps bound values
    /// across runs.
    private var isSet: UInt64 = 0

    init(_ handle: OpaquePointer) {
        self.handle = handle
        let count = Int(sqlite3_bind_parameter_count(handle))
        precondition(count < 64, "a statement has up to 63 parameters")
        allBound = (1 << UInt64(count)) - 1
        parameters = NameTable(count: count) { index in
            guard let name = sqlite3_bind_parameter_name(handle, Int32(index) + 1) else {
                preconditionFailure("a parameter has no name")
            }
            return name + 1
        }
        columns = NameTable(count: Int(sqlite3_column_count(handle))) { index in
            sqlite3_column_name(handle, Int32(index))
        }
    }

    deinit {
        sqlite3_finalize(handle)
        parameters.free()
        columns.free()
    }

    /// Whether it has been started and has not ended.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Runs to the next row. After the last it can be bound and run again. Returns whether there is a row. Throws `SQLError`; the
    /// statement can then be bound and run again.
    package func step() throws(SQLError) -> Bool {
        precondition(bound == allBound, "a parameter is not bound")
        switch sqlite3_step(handle) {
        case SQLITE_ROW:
            columns.rewind()
            return true
        case SQLITE_DONE:
            reset()
            return false
        default:
            let error = SQLError(sqlite3_db_handle(handle))
            reset()
            throw error
        }
    }

    package var row: Row { Row(self) }

    package var columnNames: [String] {
        (0..<sqlite3_column_count(handle)).map { String(cString: sqlite3_column_name(handle, $0)) }
    }

    /// Ends a run before its last row.
    package func reset() {
        sqlite3_reset(handle)
        bound = 0
        parameters.rewind()
    }

    func noteBound(_ index: Int) -> Int32 {
        let bit: UInt64 = 1 << UInt64(index)
        bound |= bit
        isSet |= bit
        return Int32(truncatingIfNeeded: index) + 1
    }

    /// Binds NULL; does nothing if the parameter is NULL already.
    func bindNull(_ index: Int) throws(SQLError) {
        let bit: UInt64 = 1 << UInt64(index)
        bound |= bit
        guard isSet & bit != 0 else { return }
        isSet &= ~bit
        try check(sqlite3_bind_null(handle, Int32(truncatingIfNeeded: index) + 1))
    }

    func check(_ status: Int32) throws(SQLError) {
        guard status == SQLITE_OK else { throw SQLError(sqlite3_db_handle(handle)) }
    }
}

extension Statement {
    package func run() throws(SQLError) {
        while try step() {}
    }

    /// The first row; nil where there is none.
    package func first<T>(_ decode: (borrowing Row) throws -> T) throws -> T? {
        guard try step() else { return nil }
        defer { reset() }
        return try decode(row)
    }

    package func all<T>(_ decode: (borrowing Row) throws -> T) throws -> [T] {
        var values: [T] = []
        try forEach { values.append(try decode($0)) }
        return values
    }

    package func forEach(_ body: (borrowing Row) throws -> Void) throws {
        while try step() {
            do {
                try body(row)
            } catch {
                reset()
                throw error
            }
        }
    }

    /// The first column of the first row; nil where there is no row, or NULL in it.
    package func integer() throws -> Int64? { try first { $0.integer(at: 0) } ?? nil }

    package func text() throws -> String? { try first { $0.text(at: 0) } ?? nil }

    /// The first column of each row, without NULLs.
    package func integers() throws -> [Int64] { try all { $0.integer(at: 0) }.compactMap(\.self) }

    package func texts() throws -> [String] { try all { $0.text(at: 0) }.compactMap(\.self) }
}

// MARK: - Parameters

/// Each binds the parameter of a name to a value, of which a text is copied; nil is NULL.
extension Statement {
    @discardableResult
    package func bind(_ name: StaticString, _ value: Int64?) throws(SQLError) -> Statement {
        try bind(at: parameters.index(of: name), value)
        return self
    }

    @discardableResult
    package func bind(_ name: StaticString, _ value: Int?) throws(SQLError) -> Statement {
        try bind(at: parameters.index(of: name), value.map(Int64.init))
        return self
    }

    @discardableResult
    package func bind(_ name: StaticString, _ value: Bool) throws(SQLError) -> Statement {
        try bind(at: parameters.index(of: name), value ? 1 : 0)
        return self
    }

    @discardableResult
    package func bind(_ name: StaticString, _ value: Double?) throws(SQLError) -> Statement {
        let parameter = parameters.index(of: name)
        if let value {
            try check(sqlite3_bind_double(handle, noteBound(parameter), value))
        } else {
            try bindNull(parameter)
        }
        return self
    }

    @discardableResult
    package func bind(_ name: StaticString, _ value: String?) throws(SQLError) -> Statement {
        let parameter = parameters.index(of: name)
        guard var value else {
            try bindNull(parameter)
            return self
        }
        let index = noteBound(parameter)
        let status = value.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { bytes in
                // The address of an empty text may be NULL, which would bind NULL.
                csqlite_bind_copied_text(handle, index, bytes.baseAddress ?? emptyText, UInt64(bytes.count))
            }
        }
        try check(status)
        return self
    }

    @discardableResult
    package func bind(_ name: StaticString, _ id: Identifier?) throws(SQLError) -> Statement {
        try bind(name, id?.text)
    }

    /// Binds integers to the first parameters, in the order in which the statement names them; nil is NULL. For what is run for each row.
    @discardableResult
    package func bind(_ values: Span<Int64?>) throws(SQLError) -> Statement {
        for index in values.indices { try bind(at: index, values[index]) }
        return self
    }

    private func bind(at index: Int, _ value: Int64?) throws(SQLError) {
        guard let value else { return try bindNull(index) }
        try check(sqlite3_bind_int64(handle, noteBound(index), value))
    }
}

/// An empty text with an address.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.initialize(to: 0)
    return UnsafePointer(text)
}()
