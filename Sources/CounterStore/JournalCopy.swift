import Glibc
import Linux
import SQL

/// A private copy of a journal and its log, for reading what SQLite could not read where it lies.
enum JournalCopy {
    /// Copies a journal and opens the copy, whose files are gone again when this returns: they live as long as the
    /// connection.
    ///
    /// - throws: `JournalError`, `notCopied` where there is no room for a copy, or where the journal is written to
    ///   all the time.
    static func open(of file: JournalFile, _ timezone: String) throws(JournalError) -> Connection {
        let directory = try makeDirectory(for: file)
        let copy = JournalFile(directory: directory, busyTimeout: file.busyTimeout)
        defer {
            for suffix in suffixes + ["-shm"] { unlink(copy.path + suffix) }
            rmdir(directory)
        }
        try copyWhole(file, to: copy)
        return try JournalError.wrapping(file.path) {
            let db = try Connection(path: copy.path, busyTimeout: 0)
            switch try file.state(db) {
            case .missing, .unfinished: throw JournalError(path: file.path, reason: .missing)
            case .schema(let version):
                if version < Schema.version { try Schema.migrate(db, timezone: timezone) }
            }
            try db.execute("PRAGMA query_only = ON")
            return db
        }
    }

    private static let suffixes = ["", "-wal"]

    /// Copies until nothing has changed meanwhile.
    private static func copyWhole(_ file: JournalFile, to copy: JournalFile) throws(JournalError) {
        for _ in 0..<10 {
            let before = suffixes.map { FileSystem.stamp(of: file.path + $0) }
            for suffix in suffixes {
                guard FileSystem.copy(file.path + suffix, to: copy.path + suffix) else {
                    let detail = "\(copy.directory): \(errorText(errno))"
                    throw JournalError(path: file.path, reason: .notCopied(detail: detail))
                }
            }
            if suffixes.map({ FileSystem.stamp(of: file.path + $0) }) == before { return }
        }
        throw JournalError(path: file.path, reason: .busy)
    }

    /// A private directory on the disk for temporary files; in memory where that has no room.
    private static func makeDirectory(for file: JournalFile) throws(JournalError) -> String {
        for directory in [environmentVariable("TMPDIR"), "/tmp", "/dev/shm"].compactMap(\.self) {
            var template = Array("\(directory)/counter-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template).map({ String(cString: $0) }) else { continue }
            // In a directory of another user that user could put another one in its place.
            if (try? TrustedFile(made)) != nil { return made }
            rmdir(made)
        }
        throw JournalError(path: file.path, reason: .notCopied(detail: errorText(errno)))
    }
}
