import CSQLite
import Glibc
package import Linux

/// The current row of a statement, valid until the next step.
///
/// A column is read by its name, or by its place, from 0, in statements with many rows. A type that is not optional throws an
/// `SQLError` where the column is NULL, or where a number is no integer.
package struct Row: ~Copyable {
    /// A copy of the statement's: reading it through the object would retain and release the object for every column.
    private let handle: OpaquePointer
    private let columns: NameTable

    init(_ statement: Statement) {
        handle = statement.handle
        columns = statement.columns
    }

    package subscript(_ name: StaticString) -> Int64 {
        get throws(SQLError) { try self[columns.index(of: name)] }
    }

    package subscript(_ name: StaticString) -> Int64? { self[columns.index(of: name)] }

    package subscript(_ name: StaticString) -> Int { get throws(SQLError) { Int(try self[name] as Int64) } }

    package subscript(_ name: StaticString) -> Int? { (self[name] as Int64?).map { Int($0) } }

    package subscript(_ name: StaticString) -> Bool { get throws(SQLError) { try self[name] as Int64 != 0 } }

    package subscript(_ name: StaticString) -> Double? {
        let index = Int32(truncatingIfNeeded: columns.index(of: name))
        return isNull(index) ? nil : sqlite3_column_double(handle, index)
    }

    package subscript(_ name: StaticString) -> String {
        get throws(SQLError) {
            guard let text = self[name] as String? else { throw mismatch("\(name)") }
            return text
        }
    }

    package subscript(_ name: StaticString) -> String? {
        text(at: Int32(truncatingIfNeeded: columns.index(of: name)))
    }

    package subscript(_ name: StaticString) -> Identifier {
        get throws(SQLError) { Identifier(try self[name] as String) }
    }

    package subscript(_ name: StaticString) -> Identifier? { (self[name] as String?).map { Identifier($0) } }
}

extension Row {
    package subscript(_ place: Int) -> Int64 {
        get throws(SQLError) {
            let index = Int32(truncatingIfNeeded: place)
            let value = sqlite3_column_int64(handle, index)
            // NULL and texts read as 0.
            if value == 0, sqlite3_column_type(handle, index) != SQLITE_INTEGER {
                throw mismatch(String(cString: sqlite3_column_name(handle, index)))
            }
            return value
        }
    }

    package subscript(_ place: Int) -> Int { get throws(SQLError) { Int(try self[place] as Int64) } }

    package subscript(_ place: Int) -> Int64? { integer(at: Int32(truncatingIfNeeded: place)) }

    func integer(at index: Int32) -> Int64? {
        let value = sqlite3_column_int64(handle, index)
        return value == 0 && isNull(index) ? nil : value
    }

    func text(at index: Int32) -> String? {
        guard let bytes = sqlite3_column_text(handle, index) else { return nil }
        // Called after the text: asking for its length first could convert it.
        let count = Int(sqlite3_column_bytes(handle, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    private func isNull(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

    private func mismatch(_ column: String) -> SQLError {
        .contradiction("its tables contradict each other: \(column) has no value")
    }
}

// MARK: - Names

/// Finds the positions of parameters or columns by their names.
///
/// The same names are asked for in the same order each time, so the search begins after the last hit, and the address
/// of a name that was found is compared before its text.
///
/// Its owner must call `free`. Copies share one storage, which is behind a pointer so that Swift does not check each
/// access at run time.
struct NameTable {
    private struct Storage {
        /// Copies: SQLite frees its own when it prepares a statement again after a change of the schema.
        let owned: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>>
        let known: UnsafeMutableBufferPointer<UnsafePointer<UInt8>?>
        var next = 0
    }

    private let storage: UnsafeMutablePointer<Storage>

    /// Copies `count` names; each is a C string that is valid during the call.
    init(count: Int, name: (Int) -> UnsafePointer<CChar>) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(owned: .allocate(capacity: count), known: .allocate(capacity: count)))
        storage.pointee.known.initialize(repeating: nil)
        for index in 0..<count { storage.pointee.owned.initializeElement(at: index, to: strdup(name(index))) }
    }

    func free() {
        for name in storage.pointee.owned { Glibc.free(name) }
        storage.pointee.owned.deallocate()
        storage.pointee.known.deallocate()
        storage.deallocate()
    }

    /// The position of a name, from 0. A name that is missing is a programming error and stops the program.
    func index(of name: StaticString) -> Int {
        let next = storage.pointee.next
        let known = storage.pointee.known
        if next < known.count, known[next] == name.utf8Start {
            storage.pointee.next = next + 1
            return next
        }
        return search(name)
    }

    @inline(never)
    private func search(_ name: StaticString) -> Int {
        guard let found = storage.pointee.owned.firstIndex(where: { strcmp($0, name.utf8Start) == 0 }) else {
            preconditionFailure("the statement has no \(name)")
        }
        storage.pointee.known[found] = name.utf8Start
        storage.pointee.next = found + 1
        return found
    }

    func rewind() { storage.pointee.next = 0 }
}
