import CSQLite

/// An error of a database.
package struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error, independent of the engine.
    package enum Kind: Hashable, Sendable {
        /// The disk has no space left, or the database may not grow any more.
        case full
        /// Another connection kept the lock that this one waited for.
        case busy
        /// The file is damaged, or is no database.
        case corrupt
        /// The user may not write the file, or not open it.
        case notPermitted
        /// The file cannot be opened.
        case cannotOpen
        /// The operating system failed a read, a write or a lock.
        case inputOutput
        /// A rule of the schema refuses the row.
        case constraint
        /// Any other; the message describes it.
        case other
    }

    /// The kind of the error.
    package let kind: Kind
    /// SQLite's extended result code (https://www.sqlite.org/rescode.html).
    package let code: Int32
    /// The errno behind it, or 0; see sqlite3_system_errno().
    package let errno: Int32
    /// SQLite's message.
    package let message: String

    /// Whether it concerns the index of the write-ahead log, the `-shm` file beside the database.
    package var isAboutSharedMemory: Bool {
        [SQLITE_IOERR | 18 << 8, SQLITE_IOERR | 19 << 8, SQLITE_IOERR | 20 << 8, SQLITE_IOERR | 21 << 8]
            .contains(code)
    }

    /// The message and the code in one line.
    package var description: String { "\(message) (\(code))" }

    /// The error of a database whose tables contradict each other.
    package static func contradiction(_ message: String) -> SQLError {
        SQLError(code: SQLITE_CORRUPT, errno: 0, message: message)
    }

    init(code: Int32, errno: Int32, message: String) {
        self.code = code
        self.errno = errno
        self.message = message
        kind = Kind(primaryCode: code & 0xFF)
    }

    /// The last error of a connection.
    init(_ database: OpaquePointer?) {
        self.init(
            code: sqlite3_extended_errcode(database), errno: sqlite3_system_errno(database),
            message: String(cString: sqlite3_errmsg(database)))
    }
}

extension SQLError.Kind {
    fileprivate init(primaryCode: Int32) {
        switch primaryCode {
        case SQLITE_FULL: self = .full
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: self = .notPermitted
        case SQLITE_CANTOPEN: self = .cannotOpen
        case SQLITE_IOERR: self = .inputOutput
        case SQLITE_CONSTRAINT: self = .constraint
        default: self = .other
        }
    }
}
