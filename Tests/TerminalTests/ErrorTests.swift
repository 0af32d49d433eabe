import Glibc
import TestSupport
import Testing

/// Errors have a remedy and an exit code, and lose nothing.
@Suite final class ErrorTests: NewPlace {
    @Test func `A journal that cannot be made is refused with 73`() throws {
        try place.write("file", [])
        for directory in [
            "/dev/null/x", "/proc/counter", place.directory + "/file", place.directory + "/file/x",
        ] {
            expectFailure(
                try place.run("add", "--data-dir", directory), 73, "cannot be created",
                "--data-dir or COUNTER_DATA_DIR")
        }
        #expect(try place.files() == ["file"])
    }

    /// Other files in the journal's place, and the errors.
    static let strangers: [(name: String, sql: String?, why: String)] = [
        ("noise", nil, "is damaged: it does not begin as an SQLite file does"),
        ("newer", "PRAGMA user_version = 99", "has schema 99, this program knows up to"),
        ("older", "PRAGMA user_version = 8", "has schema 8, this program migrates from 9 on"),
        ("foreign", "PRAGMA application_id = 7", "is a database of another program"),
    ]

    @Test(arguments: strangers)
    func `A file that is no journal of ours is refused with 65 and left as it was`(
        name: String, sql: String?, why: String
    ) throws {
        if let sql {
            try place.run("add", "3")
            let journal = try place.database()
            try journal.execute(sql)
            journal.close()
        } else {
            try place.write("journal.sqlite", "These are notes, and not of SQLite.\n")
        }
        try place.write("events.csv", "timestamp,delta\n")
        let before = try #require(place.bytes(of: "journal.sqlite"))
        for command in [
            ["show"], ["add"], ["verify"], ["export"], ["listen"], ["devices"],
            ["import", place.directory + "/events.csv"], ["ingest"],
        ] {
            expectFailure(
                try place.run(command), 65, "\(place.directory)/journal.sqlite: \(why)",
                "Nothing was changed.")
        }
        let terminal = try place.openUnseen()
        #expect(try terminal.readLine()?.contains(why) == true)
        #expect(try terminal.wait() == .exited(65))
        #expect(place.bytes(of: "journal.sqlite") == before)
    }

    @Test func `Derived tables that were tampered with are told by verify and made anew by its rebuild`()
        throws
    {
        try place.run("add", "3")
        try place.database().execute("UPDATE segment SET sum = 42")
        #expect(try place.show() == "42")
        let found = try place.verify()
        #expect(found.status == .exited(1))
        #expect(
            found.output.contains("segment") && found.output.contains("42") && found.output.contains("3")
        )
        #expect(try place.run("verify", "--rebuild").status == .exited(0))
        #expect(try place.verify() == .init(status: .exited(0), output: "", errors: ""))
        #expect(try place.show() == "3")

        try place.database().execute("DROP TRIGGER journalIsNeverRewritten")
        let unguarded = try place.verify()
        #expect(unguarded.status == .exited(1))
        #expect(unguarded.output.contains("the trigger journalIsNeverRewritten is missing"))
    }
}

/// Paths and names whose bytes are told apart, though they look alike or cannot be shown.
@Suite final class GivenBytesTests: NewPlace {
    /// Runs the program with what a shell makes of `assignments` and `words`, such as bytes that are no text.
    private func run(_ place: Workplace, _ assignments: String, _ words: String) throws
        -> ChildProcess.Outcome
    {
        try place.run(script: "b=$(printf '\\344'); \(assignments) exec env \"$0\" \(words)")
    }

    @Test(
        arguments: [
            ("COUNTER_DATA_DIR=$HOME/d$b", "show", 64, "the variable COUNTER_DATA_DIR"),
            ("", "show --data-dir $HOME/d$b", 64, "--data-dir"),
            ("", "show --data-dir=$HOME/d$b", 64, "argument 2"),
            ("HOME=$HOME/d$b", "show", 78, "the variable HOME"),
            ("XDG_CONFIG_HOME=$HOME/d$b", "add", 78, "the variable XDG_CONFIG_HOME"),
            ("XDG_STATE_HOME=$HOME/d$b", "timer start 1h", 78, "the variable XDG_STATE_HOME"),
            ("XDG_RUNTIME_DIR=$HOME/d$b", "listen", 78, "the variable XDG_RUNTIME_DIR"),
        ] as [(String, String, Int32, String)])
    func `A path that is no text is refused, and no other directory is used`(
        assignments: String, words: String, status: Int32, subject: String
    ) throws {
        let outcome = try run(place, assignments, words)
        expectFailure(outcome, status, "\(subject) is no text in UTF-8: '", "/d\\xE4'", "Write it in UTF-8")
        #expect(try place.files().isEmpty)
    }

    @Test func `Ids that look alike are told apart`() throws {
        let (composed, decomposed) = ("T\u{FC}r", "Tu\u{308}r")
        try place.run("device", "rename", decomposed, "Door")
        expectFailure(
            try place.run("device", "forget", composed), 66, #"the id 'T\xC3\xBCr' is known"#,
            #"Known: Tu\xCC\x88r"#)
        try place.run("location", "add", decomposed)
        expectFailure(
            try place.run("location", "add", composed), 65,
            #"already: 'Tu\xCC\x88r', which looks like 'T\xC3\xBCr'"#)
        try place.run("location", "set", decomposed, "--name", "Gate")
        expectFailure(
            try place.run("show", "--location", composed), 66, #"there is no location 'T\xC3\xBCr'"#,
            #"Did you mean 'Tu\xCC\x88r'?"#)
    }
}

/// Errors of missing permissions. Tests that run as root become an ordinary user.
@Suite final class PermissionTests: NewPlace {
    override init() throws {
        try super.init()
        chmod(place.directory, 0o755)
    }

    /// Runs the program as another user, by default nobody.
    private func run(_ command: String..., user: UInt32 = 65534) throws -> ChildProcess.Outcome {
        try place.run(command, by: getuid() == 0 ? asUser(user) : [])
    }

    @Test func `A directory that may not be written is refused with 77`() throws {
        mkdir(place.directory + "/closed", 0o555)
        place.environment["COUNTER_DATA_DIR"] = place.directory + "/closed/journal"
        expectFailure(
            try run("add"), 77, "closed/journal: Permission denied",
            "Give yourself access to it, or name another directory with --data-dir.")
        place.environment["COUNTER_DATA_DIR"] = place.directory + "/closed"
        expectFailure(try run("add"), 77, "Permission denied")
        expectFailure(try run("listen"), 77, "Permission denied")
    }

    @Test(.asRoot)
    func `Nobody else can read a journal or write to it`() throws {
        place.environment["COUNTER_DATA_DIR"] = place.directory + "/mine"
        try place.run("add", "3")
        expectFailure(try run("show"), 77, "mine: belongs to the user with number 0")
        // Even if the directory was made accessible by hand.
        chmod(place.directory + "/mine", 0o777)
        expectFailure(
            try run("show"), 77, "mine/journal.sqlite: belongs to the user with number 0", "chown")
        expectFailure(try run("add"), 77, "mine/journal.sqlite: belongs to the user with number 0")
        chmod(place.directory + "/mine/journal.sqlite", 0o666)
        expectFailure(try run("add"), 77, "mine/journal.sqlite: belongs to the user with number 0")
        #expect(try place.show() == "3")
    }

    @Test func `A configuration file that may not be read is refused with 77`() throws {
        place.environment["COUNTER_DATA_DIR"] = place.directory + "/open"
        mkdir(place.directory + "/open", 0o777)
        chmod(place.directory + "/open", 0o777)
        try place.configure("always = true\n")
        chmod(place.directory + "/.config", 0o755)
        chmod(place.directory + "/.config/counter", 0o755)
        chmod(place.directory + "/.config/counter/config.toml", 0)
        expectFailure(try run("add"), 77, "config.toml: cannot be read: Permission denied")
        chmod(place.directory + "/.config/counter", 0)
        expectFailure(try run("add"), 77, "config.toml: cannot be read: Permission denied")
        chmod(place.directory + "/.config/counter", 0o755)
        chmod(place.directory + "/.config/counter/config.toml", 0o644)
        #expect(try run("add").output == "1\n")
    }

    @Test(.asRoot)
    func `Where no home is known a directory is asked for, and each that is named will do`() throws {
        place.environment.merge(["HOME": nil as String?, "COUNTER_DATA_DIR": nil]) { $1 }
        // A user id without a name.
        let user: UInt32 = 3_999_999
        let directory = place.directory + "/theirs"
        mkdir(directory, 0o700)
        chown(directory, user, user)
        expectFailure(
            try run("show", user: user), 78, "no home directory is known",
            "Name a directory with --data-dir or COUNTER_DATA_DIR, or set HOME.")
        #expect(try run("add", "--data-dir", directory, user: user).output == "1\n")
        place.environment["COUNTER_DATA_DIR"] = directory
        #expect(try run("add", user: user).output == "2\n")
        expectFailure(
            try run("watch", "--", "true", user: user), 78, "no home directory is known",
            "Set XDG_STATE_HOME or HOME.")
        place.environment["COUNTER_DATA_DIR"] = .some(nil)
        place.environment["HOME"] = directory
        #expect(try run("add", user: user).output == "1\n")
    }
}
