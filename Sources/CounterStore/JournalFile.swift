import Glibc
import Linux
import SQL

/// The journal's file, examined before SQLite opens it for writing. Nothing here changes a file that has content.
struct JournalFile {
    let directory: String
    /// The zone that the location `default` of a new journal gets.
    var timezone = "UTC"
    /// How long a call waits for other programs, in seconds.
    let busyTimeout: Double

    /// The database. Beside it SQLite keeps a `-wal` and a `-shm` of the same owner and mode.
    var path: String { directory + "/journal.sqlite" }

    /// A file that exists beside the journal from before the journal is made until its first transaction is
    /// committed. Without it, an empty journal is one that has lost its content.
    private var mark: String { path + "-new" }

    /// The database header and the head of the first page, in bytes.
    private static let headerSize = 108

    enum State {
        case missing
        /// Another program is making it at this moment, or was killed while it did. Nothing has been appended yet.
        case unfinished
        case schema(version: Int)
    }

    /// Makes an empty file; to be called within `whileAlone`.
    func make() throws(JournalError) {
        for path in [mark, path] {
            let file = Descriptor(owning: open(path, O_RDWR | O_CREAT | O_CLOEXEC, FileSystem.privateFile))
            guard file.number >= 0 else { throw JournalError(path: path, creating: errno) }
            // A umask may have taken bits away that we need.
            fchmod(file.number, FileSystem.privateFile)
            try FileSystem.syncDirectory(directory)
        }
        try FileSystem.syncDirectory(parentDirectory(directory))
    }

    func noteFinished() { unlink(mark) }

    /// What is there. Throws `JournalError` if this user may not read it; `empty` for a file that has lost its content.
    func state() throws(JournalError) -> State {
        guard let bytes = try readHeader() else { return .missing }
        if wasCutWhileMade() { return .unfinished }
        if bytes.isEmpty {
            if access(mark, F_OK) != 0 { throw JournalError(path: path, reason: .empty) }
            return .unfinished
        }
        // The log may supersede what the first page says.
        if FileSystem.size(of: path + "-wal") > 0, let state = try stateThroughLog() { return state }
        guard bytes.count >= Self.headerSize, bytes.starts(with: "SQLite format 3\0".utf8) else {
            throw JournalError(
                path: path, reason: .corrupt(detail: "it does not begin as an SQLite file does"))
        }
        func word(at offset: Int) -> Int32 {
            Int32(bitPattern: bytes[offset..<offset + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
        }
        // Read without SQLite: opening a database with SQLite may write. The offsets are those of "The Database Header" and "B-tree
        // Pages" in SQLite's file format (https://www.sqlite.org/fileformat2.html). It has no tables if the schema table is one leaf
        // without a cell.
        return try judge(
            applicationId: word(at: 68), userVersion: Int(word(at: 60)),
            isBlank: bytes[100] == 0x0D && bytes[103] == 0 && bytes[104] == 0)
    }

    /// Runs `body` while no other program makes or migrates the journal of this directory; see flock(2).
    func whileAlone<T>(_ body: () throws(JournalError) -> T) throws(JournalError) -> T {
        let lock = Descriptor(owning: open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard lock.number >= 0 else { throw JournalError(path: directory, opening: errno) }
        var triesLeft = Int(busyTimeout * 100)
        while flock(lock.number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw JournalError(path: directory, opening: errno)
            }
            guard triesLeft > 0 else { throw JournalError(path: path, reason: .busy) }
            triesLeft -= 1
            usleep(10_000)
        }
        return try body()
    }

    /// Refuses a file system on which other machines may write too: the log's index is shared memory, which machines
    /// do not share (https://www.sqlite.org/wal.html), and locks over a network are not reliable.
    func requireLocal() throws(JournalError) {
        // The file may be a link to another file system than its directory's.
        guard let name = FileSystem.network(of: path) else { return }
        throw JournalError(path: directory, reason: .networkFileSystem(name: name))
    }

    /// The file's first bytes; an empty array if it is empty, nil if there is no file.
    private func readHeader() throws(JournalError) -> [UInt8]? {
        // Closing any descriptor of a file releases all POSIX locks that this process has on it (fcntl(2)), SQLite's
        // too. So a program opens a journal once.
        // A pipe would be waited for.
        let file = Descriptor(owning: open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        guard file.number >= 0 else {
            if errno == ENOENT { return nil }
            throw notReadable(errno)
        }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw JournalError(path: path, opening: errno) }
        guard status.st_uid == geteuid() else {
            throw JournalError(path: path, reason: .wrongOwner(userId: status.st_uid))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw JournalError(path: path, reason: .corrupt(detail: "it is no regular file"))
        }
        var bytes = [UInt8](repeating: 0, count: Self.headerSize)
        let count = pread(file.number, &bytes, bytes.count, 0)
        guard count >= 0 else { throw JournalError(path: path, opening: errno) }
        return Array(bytes.prefix(count))
    }

    /// The error of a file that cannot be read: the owner, if it is another user, else the errno.
    private func notReadable(_ errno: Int32) -> JournalError {
        var status = stat()
        for path in [path, directory] where errno == EACCES && stat(path, &status) == 0 {
            if status.st_uid != geteuid() {
                return JournalError(path: path, reason: .wrongOwner(userId: status.st_uid))
            }
        }
        return JournalError(path: path, opening: errno)
    }

    /// Whether a power cut interrupted the first transaction, which makes an empty file a database with a log. Its
    /// `-journal`, by which SQLite undoes it, then says that there was no page before ("The Rollback Journal" in
    /// SQLite's file format). Nothing has been appended by then.
    private func wasCutWhileMade() -> Bool {
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let file = Descriptor(owning: open(path + "-journal", O_RDONLY | O_CLOEXEC))
        var bytes = [UInt8](repeating: 0, count: 20)
        guard file.number >= 0, read(file.number, &bytes, bytes.count) == bytes.count else { return false }
        let pagesBefore = bytes[16...]
        return bytes.starts(with: magic) && pagesBefore.allSatisfy { $0 == 0 }
    }

    /// The state with the log applied, read by SQLite; nil if that is impossible without writing. A read-only
    /// connection never writes the log back into the file.
    private func stateThroughLog() throws(JournalError) -> State? {
        guard FileSystem.maySQLiteWrite(path) else { return nil }
        return try JournalError.wrapping(path) {
            let db = try Connection(path: path, access: .readOnly, busyTimeout: Int32(busyTimeout * 1000))
            return try state(db)
        }
    }

    /// The state of an open database, read from one snapshot, because another program may make the journal at this
    /// moment.
    func state(_ db: Connection) throws -> State {
        try db.transaction(.reading) {
            let tables = try db.statement("SELECT count(*) FROM sqlite_master").integer()
            let application = try db.statement("PRAGMA application_id").integer() ?? 0
            return try judge(
                applicationId: Int32(truncatingIfNeeded: application),
                userVersion: Int(db.statement("PRAGMA user_version").integer() ?? 0), isBlank: tables == 0)
        }
    }

    private func judge(applicationId: Int32, userVersion: Int, isBlank: Bool) throws(JournalError) -> State {
        if applicationId == 0, userVersion == 0, isBlank { return .unfinished }
        guard applicationId == Schema.applicationId else {
            throw JournalError(path: path, reason: .notAJournal)
        }
        guard userVersion <= Schema.version else {
            throw JournalError(path: path, reason: .newerSchema(found: userVersion, known: Schema.version))
        }
        guard userVersion > 0 else {
            throw JournalError(path: path, reason: .corrupt(detail: "schema version \(userVersion)"))
        }
        guard userVersion >= Schema.oldest else {
            throw JournalError(path: path, reason: .olderSchema(found: userVersion, known: Schema.oldest))
        }
        return .schema(version: userVersion)
    }
}
