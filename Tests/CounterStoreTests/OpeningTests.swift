import CounterModel
import Glibc
import TestSupport
import Testing

@testable import CounterStore
@testable import SQL

/// What a journal's file can be when it is opened. Files that are none of a journal, or another user's, are tested with the real program, by
/// ErrorTests.
@Suite struct OpeningTests {
    let directory = TemporaryDirectory()

    private var data: String { directory.path + "/data" }
    private var path: String { data + "/journal.sqlite" }

    /// How many descriptors of this process are of a file.
    private func timesOpen(_ path: String) -> Int {
        (0..<256).count { FileSystem.identity(of: "/proc/self/fd/\($0)") == FileSystem.identity(of: path) }
    }

    private func open(creating: Bool = true, isReadOnly: Bool = false) throws(JournalError) -> SQLiteJournal {
        try SQLiteJournal(directory: data, timezone: "UTC", creating: creating, isReadOnly: isReadOnly)
    }

    /// Makes a journal with one count, and changes it with SQL.
    private func makeJournal(_ sql: String = "") throws {
        let journal = try open()
        try journal.ask(Ask.count())
        try journal.run(sql: sql)
    }

    /// Leaves the files of a journal with one count as a crash does: the log is not yet written back.
    private func makeCrashed(_ sql: String) throws {
        var crashed: SQLiteJournal? = try open()
        try crashed?.ask(Ask.count())
        try crashed?.run(sql: sql)
        let files = ["", "-wal", "-shm"].map { (path + $0, contents(of: path + $0)) }
        crashed = nil
        for (path, bytes) in files { try write(bytes, to: path) }
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    /// Opens the journal, and expects an error and unchanged files. The `-shm` is not compared: it has locks and an
    /// index of the log, and no rows.
    private func expectUntouched(_ matches: (JournalError.Reason) -> Bool) {
        let names = directory.names(in: data)
        let kept = names.filter { !$0.hasSuffix("-shm") }
        let before = kept.map { contents(of: data + "/" + $0) }
        let error = #expect(throws: JournalError.self) { try self.open() }
        #expect(error.map { matches($0.reason) } == true, "\(String(describing: error))")
        #expect(error?.path == path)
        #expect(directory.names(in: data) == names)
        #expect(kept.map { contents(of: data + "/" + $0) } == before)
    }

    /// The file and the rollback journal of a first transaction that a power cut interrupted; see "The Rollback
    /// Journal" in SQLite's file format.
    private func makeTornFile(pagesBefore: UInt8) throws {
        try #require(mkdir(data, 0o700) == 0)
        try write([UInt8](repeating: 0, count: 4_096), to: path)
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let sizes: [UInt8] = [0, 0, 0, pagesBefore, 0, 0, 2, 0, 0, 0, 0x10, 0]
        try write(magic + [UInt8](repeating: 0, count: 8) + sizes, to: path + "-journal")
        try write([UInt8](repeating: 0, count: 484), to: path + "-journal", at: 28)
    }

    @Test func makesAJournalAnewWhoseMakingWasCut() throws {
        try makeTornFile(pagesBefore: 0)
        let journal = try open()
        try journal.ask(Ask.count())
        #expect(try journal.level() == 1)
        #expect(try journal.verify() == [])
    }

    @Test func leavesATornFileAloneThatHadPagesBefore() throws {
        try makeTornFile(pagesBefore: 1)
        expectUntouched {
            guard case .corrupt = $0 else { return false }
            return true
        }
    }

    @Test func makesPrivateFiles() throws {
        let journal = try SQLiteJournal(directory: directory.path + "/a/b/c", timezone: "UTC")
        try journal.ask(Ask.count())
        #expect(mode(directory.path + "/a") == 0o700)
        #expect(mode(directory.path + "/a/b/c") == 0o700)
        #expect(
            directory.names(in: directory.path + "/a/b/c") == [
                "journal.sqlite", "journal.sqlite-shm", "journal.sqlite-wal",
            ])
        for suffix in ["", "-wal", "-shm"] {
            #expect(mode(journal.path + suffix) == 0o600)
        }
    }

    @Test func aDirectoryThatExistsKeepsItsMode() throws {
        try #require(mkdir(data, 0o755) == 0)
        try #require(chmod(data, 0o755) == 0)
        _ = try open()
        #expect(mode(data) == 0o755)
    }

    @Test func synchronousIsFullAndTheLogIsOn() throws {
        let journal = try open()
        #expect(try journal.access { try $0.statement("PRAGMA synchronous").integer() } == 2)
        #expect(try journal.access { try $0.statement("PRAGMA journal_mode").text() } == "wal")
    }

    @Test(arguments: [("wal", 1), ("wal", 0), ("delete", 2), (nil, 2)] as [(String?, Int)])
    func anythingLessIsRefused(mode: String?, synchronous: Int) throws {
        let error = #expect(throws: JournalError.self) {
            try SQLiteJournal.requireDurable("j", journalMode: mode, synchronous: synchronous)
        }
        guard case .notDurable = try #require(error).reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func openingWritesNothing() throws {
        try makeJournal()
        let before = contents(of: path)
        let journal = try open()
        #expect(try journal.level() == 1)
        #expect(contents(of: path) == before)
        #expect(contents(of: path + "-wal").isEmpty)
    }

    @Test func noneIsMadeUnlessWanted() throws {
        let error = #expect(throws: JournalError.self) { try self.open(creating: false) }
        #expect(error == JournalError(path: path, reason: .missing))
        #expect(directory.names(in: directory.path) == [])
        try makeJournal()
        #expect(try open(creating: false).level() == 1)
    }

    @Test func aFileWhoseMakingWasCutBecomesAJournal() throws {
        try #require(mkdir(data, 0o700) == 0)
        let file = JournalFile(directory: data, busyTimeout: 1)
        try file.make()
        #expect(contents(of: path).isEmpty)
        let error = #expect(throws: JournalError.self) { try self.open(isReadOnly: true) }
        #expect(error?.reason == .missing)
        #expect(try open().level() == 0)
        #expect(directory.names(in: data) == ["journal.sqlite"])
    }

    @Test(arguments: [false, true])
    func aFileThatHasLostItsContentIsLeftUntouched(isReadOnly: Bool) throws {
        try makeJournal()
        try #require(truncate(path, 0) == 0)
        let error = #expect(throws: JournalError.self) { try self.open(isReadOnly: isReadOnly) }
        #expect(error == JournalError(path: path, reason: .empty))
        expectUntouched { $0 == .empty }
    }

    @Test func whatAnotherProgramMakesAtThisMomentIsWaitedFor() async throws {
        try #require(mkdir(data, 0o700) == 0)
        let file = JournalFile(directory: data, busyTimeout: 60)
        let opened = try await withThrowingTaskGroup(of: Int.self) { group in
            try file.whileAlone { () throws(JournalError) in
                // As an earlier version makes it: without the marker file.
                try? write([], to: path)
                let data = data
                group.addTask {
                    try SQLiteJournal(directory: data, timezone: "UTC", isReadOnly: true, busyTimeout: 60)
                        .level()
                }
                usleep(50_000)
                unlink(path)
                try file.make()
                file.noteFinished()
                try? RawDatabase(path).execute("PRAGMA journal_mode = WAL")
            }
            _ = try open()
            return try await group.next()
        }
        #expect(opened == 0)
    }

    /// A program whose calls must not wait may start while another makes the journal.
    @Test func openingWaitsLongerThanCallsMay() async throws {
        try #require(mkdir(data, 0o700) == 0)
        let file = JournalFile(directory: data, busyTimeout: 60)
        let opened = try await withThrowingTaskGroup(of: Int.self) { group in
            try file.whileAlone { () throws(JournalError) in
                let data = data
                group.addTask {
                    try SQLiteJournal(directory: data, timezone: "UTC", busyTimeout: 0).level()
                }
                // It opens the directory and then locks it.
                try? eventually("it to wait") { timesOpen(data) > 1 }
            }
            return try await group.next()
        }
        #expect(opened == 0)
    }

    @Test func aNetworkFileSystemIsTold() throws {
        // NFS_SUPER_MAGIC, CIFS_SUPER_MAGIC, V9FS_MAGIC; not EXT4_SUPER_MAGIC.
        #expect(
            [0x6969, 0xFF53_4D42, 0x0102_1997, 0xEF53].map { FileSystem.networks[$0] } == [
                "NFS", "CIFS", "9P", nil,
            ])
        #expect(FileSystem.network(of: directory.path + "/not/there/yet") == nil)
        let error = JournalError(path: data, reason: .networkFileSystem(name: "NFS"))
        #expect(error.description == "\(data): is on a network file system (NFS)")
    }

    /// As /proc/self/mountinfo has them, with optional fields and without.
    @Test(arguments: [
        ("0:40", "sshfs"), ("0:41", nil), ("0:42", "virtiofs"), ("0:43", nil), ("0:44", "rclone"),
        ("0:9", nil),
    ])
    func aNetworkBehindFUSEIsTold(device: String, name: String?) {
        let mounts = """
            22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            50 22 0:40 / /mnt/far rw,nosuid - fuse.sshfs ada@far:/home rw,user_id=0
            51 22 0:41 / /mnt/near rw shared:3 master:2 - fuse.bindfs /home rw
            52 22 0:42 / /mnt/host rw shared:4 - virtiofs host rw
            53 22 0:43 / /mnt/disk rw - fuseblk /dev/sdb1 rw
            54 22 0:44 / /mnt/a\\040b rw shared:5 - fuse.rclone far: rw
            """
        #expect(FileSystem.networkBehindFUSE(device, mounts: mounts) == name)
    }

    /// What SQLite says of a full disk depends on the file that has no room.
    @Test(arguments: [(13, 0), (4874, 28), (4618, 28), (14, 28)])
    func aFullDiskIsSaidWhereItIs(code: Int32, errno: Int32) {
        let error = SQLError(code: code, errno: errno, message: "disk I/O error")
        #expect(JournalError.Reason(error, path: directory.path) == .diskFull)
    }

    @Test func anyOtherFailureOfTheDiskIsSaidAsThat() {
        let error = SQLError(code: 4874, errno: 5, message: "disk I/O error")
        #expect(
            JournalError.Reason(error, path: directory.path) == .inputOutput(detail: "disk I/O error (4874)"))
    }

    @Test func aJournalThatWasNeverFinishedIsFinished() throws {
        try #require(mkdir(data, 0o700) == 0)
        let outside = try RawDatabase(path)
        try outside.execute("PRAGMA journal_mode = WAL")
        outside.close()
        #expect(!contents(of: path).isEmpty)
        #expect(try open().level() == 0)
    }

    @Test func aNewerSchemaThatIsOnlyInTheLogIsLeftUntouched() throws {
        try makeCrashed("PRAGMA user_version = 99")
        expectUntouched { $0 == .newerSchema(found: 99, known: Schema.version) }
    }

    @Test func anotherProgramsDatabaseIsLeftUntouched() throws {
        try #require(mkdir(data, 0o700) == 0)
        try RawDatabase(path).execute("CREATE TABLE journal (position INTEGER PRIMARY KEY)")
        expectUntouched { $0 == .notAJournal }
    }

    @Test func aTruncatedJournalIsLeftUntouched() throws {
        try makeJournal()
        try #require(truncate(path, 4_096) == 0)
        expectUntouched { if case .corrupt = $0 { true } else { false } }
    }

    @Test func aDamagedSchemaIsLeftUntouched() throws {
        try makeJournal()
        try write([UInt8](repeating: 0xA5, count: 3_000), to: path, at: 100)
        expectUntouched { if case .corrupt = $0 { true } else { false } }
    }

    @Test func damageInsideIsFoundByVerify() throws {
        try makeJournal()
        let size = contents(of: path).count
        for page in stride(from: 4_096, to: size, by: 4_096) {
            try write([UInt8](repeating: 0xA5, count: 64), to: path, at: page)
        }
        let before = contents(of: path)
        let error = #expect(throws: JournalError.self) { try self.open().verify() }
        guard case .corrupt = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(contents(of: path) == before)
    }

    @Test func aDirectoryInThePlaceOfTheFileIsNamed() throws {
        try #require(mkdir(data, 0o700) == 0 && mkdir(path, 0o700) == 0)
        let error = #expect(throws: JournalError.self) { try self.open() }
        #expect(error?.path == path)
    }
}
