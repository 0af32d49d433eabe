import Glibc
import TestSupport
import Testing

/// Mistakes that people make with the command line: each ends with the exit code of its kind, says what is wrong, and
/// what to do.
@Suite final class MistakeTests: NewPlace {
    struct Case: CustomStringConvertible, Sendable {
        let words: [String]
        let status: Int32
        let message: String
        let remedy: String

        init(words: [String], _ status: Int32, _ message: String, _ remedy: String = "--help") {
            (self.words, self.status, self.message, self.remedy) = (words, status, message, remedy)
        }

        /// Of words that have no blanks in them.
        init(_ words: String, _ status: Int32, _ message: String, _ remedy: String = "--help") {
            self.init(words: words.split(separator: " ").map(String.init), status, message, remedy)
        }

        var description: String { words.joined(separator: " ") }
    }

    private static let tooLong = String(repeating: "x", count: 201)

    static let usage = [
        Case("show --loc x", 64, "Unknown option '--loc'", "Did you mean '--location'?"),
        Case("device list", 64, "Unexpected argument 'list'", "Did you mean 'counter devices'?"),
        Case(
            words: ["location", "rename", "A b", "B"], 64, "'rename'",
            "Did you mean 'counter location set 'A b' --name B'?"),
        Case("help nope", 64, "there is no command 'nope'", "counter --help"),
        Case("help location sett", 64, "there is no command 'sett'", "Did you mean 'set'?"),
        Case(
            "--data-dir /nope show", 64, "--data-dir: options come after the command",
            "For example: counter show --data-dir /nope"),
        Case("--location Hall add", 64, "options come after the command", "counter add --location Hall"),
        Case("add --location=Hall --location=Hall", 64, "--location is given twice", "counter"),
        Case("--debounce 150 show", 64, "Unknown option '--debounce'", "See 'counter show --help'"),
        Case("stauts", 64, "Unexpected argument 'stauts'", "Did you mean 'status'?"),
        Case("location ad Bar", 64, "unexpected arguments: 'ad', 'Bar'", "Did you mean 'add'?"),
        Case("device renam door-1 Door", 64, "unexpected arguments: 'renam'", "Did you mean 'rename'?"),
        Case("add --locaton Hall", 64, "Unknown option '--locaton'", "Did you mean '--location'?"),
        Case("location set Hall --capcity 5", 64, "Unknown option '--capcity'", "Did you mean '--capacity'?"),
        Case("add -1", 64, "Unknown option '-1'", "To count down: counter sub 1."),
        Case(
            "location add X --capacity -5", 64, "the capacity must be 1 or more",
            "See 'counter location add --help'"),
        Case("add --always", 64, "Unknown option '--always'", "See 'counter add --help'"),
        Case(
            "location list --location Hall", 64, "Unknown option '--location'",
            "See 'counter location list --help'"),
        Case("show --step=3", 64, "Unknown option '--step'", "See 'counter show --help'"),
        Case("show Hall", 64, "Unexpected argument 'Hall'", "counter show --help"),
        Case("add 0", 64, "N must be 1 to 10,000", "counter add --help"),
        Case("sub 10001", 64, "N must be 1 to 10,000"),
        Case("reset --to 9223372036854775808", 64, "is invalid"),
        Case("export --format xml", 64, "one of 'csv' and 'jsonl'"),
        Case("add --location", 64, "Missing value for '--location <name>'", "counter --help"),
        Case("correct 45 --reason x", 64, "give one number: +3 or -3"),
        Case("correct +1", 64, "Missing expected argument '--reason <text>'"),
        Case(words: ["location", "add", ""], 64, "1 to 64 characters"),
        Case("location set Hall", 64, "an option with a change is needed"),
        Case("location set Hall --capacity 0", 64, "must be 1 or more, or none"),
        Case("location set Hall --timezone ../etc/passwd", 66, "time zone", "Europe/Zurich"),
        Case(
            "location set Cellar --capacity 5", 66, "there is no location 'Cellar'",
            "Existing: default, Hall"),
        Case("location add a\u{1B}[m", 64, "control character"),
        Case("device rename door-1 a\u{1B}[2J", 64, "none of them a control character"),
        Case("export --spreadsheet --format jsonl", 64, "--spreadsheet is for --format csv"),
        Case("history --form today", 64, "Unknown option '--form'", "Did you mean '--from'?"),
        Case("timer start Robins", 64, "Robins", "write one such as"),
        Case(
            words: ["location", "set", "Hall", "--open", "9 to 5"], 64,
            "opening hours are written as 'Mon-Fri 09:00-18:00, Sat 10:00-16:00'"),
        Case(words: ["add", "--reason=\(tooLong)"], 64, "a reason has 1 to 200 characters"),
        Case("correct --reason x +1 +2", 64, "give one number"),
        Case("correct --reason x +1000000001", 64, "1 to 1,000,000,000"),
        Case(words: ["correct", "+1", "--reason", ""], 64, "1 to 200 characters"),
        Case("location add x --timezone Europe", 66, "Europe", "Europe/Zurich"),
        Case("location add x --day-start 24", 64, "must be 0 to 23"),
        Case("location set Hall --day-start -1", 64, "must be 0 to 23"),
        Case("location set Hall --target 0", 64, "the target must be 1 or more, or none"),
        Case("location set Hall --key ab", 64, "a key is one letter"),
        Case(
            "location set Hall --key T", 64,
            "the key t has another meaning on Count or Live: take one of abcf"),
        Case("location set Hall --admits-over-full maybe", 64, "'maybe' is invalid"),
        Case("location set Hall --day-end never", 64, "'never' is invalid", "automatic|by-hand"),
        Case("location set Hall --name=", 64, "Missing value for '--name"),
        Case("history --range lastweek", 64, "'lastweek' is not a date or time", "Did you mean 'last week'?"),
        Case("history --range 0min", 64, "'0min' is no length from 1s to a hundred years", "10min"),
        Case("history --from soon", 64, "'soon'", "Write 10min, 2h, 7d, today, yesterday"),
        Case(
            "history --from 2026-11-02 --to 2026-11-01", 64,
            "the range from 2026-11-02 00:00:00 to 2026-11-01 00:00:00 is empty",
            "one day is from that date to the next"),
        Case("history --from 1900-01-01", 64, "the range is longer than 100 years", "Let it begin later"),
        Case("history --to now", 64, "--to needs --from"),
        Case("history --by year", 64, "'year' is not a unit"),
        Case(
            words: ["history", "--range", "2026-01-01 to 2026-06-01", "--by", "minute"], 64,
            "cannot be shown by minutes", "show it by hours"),
        Case("history --range 7d --from 2026-11-02", 64, "--range and --from exclude each other"),
        Case("history --range 7d --to now", 64, "--range and --to exclude each other"),
        Case("history --json --csv", 64, "--json and --csv exclude each other"),
        Case("history --brief --json", 64, "--json and --brief exclude each other"),
        Case("history --all --location Hall", 64, "--location and --all exclude each other"),
        Case("history --entries --brief", 64, "--entries and --brief exclude each other"),
        Case("--screen door", 64, "--screen: must be count, live, history, admin or timers", "live"),
        Case("day end", 64, "confirmation needed: use --yes", "counter day end --yes"),
        Case(
            "day end --location Hall", 64, "confirmation needed: use --yes",
            "counter day end --location Hall --yes"),
        Case("history --all --entries --by day", 64, "--by and --entries exclude each other"),
        Case("history --brief --by day", 64, "--by and --brief exclude each other"),
        Case("import x.csv --columns time=Date", 64, "there is no field 'time'", "They are: timestamp, "),
        Case("import x.csv --period 2d", 64, "a period is 1s to 24h", "import --help"),
    ]

    static let others = [
        Case("location add Hall", 65, "there is a location 'Hall' already", "counter location set Hall"),
        Case(
            "reset --to 9223372036854775807 --location Hall", 69, "'Hall' has a capacity and cannot be reset",
            "counter day end --location Hall; to set it right: counter correct '=N' --reason TEXT"),
        Case("location remove nope", 66, "there is no location 'nope'", "Existing: default, Hall.\n"),
        Case("show --location hal", 66, "there is no location 'hal'", "Did you mean 'Hall'?"),
        Case(
            "day end --yesterday --location Hall", 69, "no day that is over is still open",
            "To end the present day: counter day end --location Hall"),
        Case("device forget dor-1", 66, "no device with the id 'dor-1'", "Did you mean 'door-1'?"),
        Case("device assign door-1 Cellar", 66, "no location 'Cellar'", "Existing: default, Hall"),
        Case("undo --position 999", 66, "there is no row 999", "counter history --entries"),
        Case("history --group East", 66, "no location is in the group 'East'", "--group East"),
        Case(
            "location set Hall --timezone Europe/Berln", 66, "time zone 'Europe/Berln'",
            "Did you mean 'Europe/Berlin'?"),
        Case("import - --timezone berlin", 66, "time zone 'berlin'", "Did you mean 'Europe/Berlin'?"),
        Case("import - --timezone Mars/X", 66, "time zone 'Mars/X'", "Name one of the files in"),
        Case("import - --yes", 64, "--yes is for --undo"),
        Case("import nothing.csv", 66, "nothing.csv", "counter import -"),
        Case(
            "add 3 --location Hall", 69, "'Hall' has room for 2 only; nothing was counted",
            "counter location set Hall --admits-over-full true"),
        Case(
            "correct =3 --reason x --location Hall", 69, "'Hall' has room for 2 only; nothing was changed",
            "--admits-over-full"),
        Case(
            "correct -1 --reason x --location Hall", 69, "nobody is inside 'Hall'; nothing was changed",
            "counter correct"),
        Case("undo --location Hall", 69, "there is nothing to undo", "--position"),
    ]

    @Test func `Each ends with the exit code of its kind, says what is wrong, and what to do`() throws {
        try place.imports(["timestamp,delta,deviceId", "2026-01-14T13:03:59Z,1,door-1"])
        try place.run("location", "add", "Hall", "--capacity", "2")
        let rows = try place.exported()
        for mistake in Self.usage + Self.others {
            let outcome = try place.run(mistake.words)
            expectFailure(outcome, mistake.status, mistake.message)
            #expect(outcome.errors.contains(mistake.remedy), "\(mistake): \(outcome.errors)")
            #expect(outcome.output == "", "\(mistake)")
            #expect(try place.exported() == rows, "\(mistake): a mistake changes nothing")
        }
    }

    @Test func `The version is printed for what other programs call it`() throws {
        let version = try place.run("--version").output
        #expect(version.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
        for word in ["version", "-V"] { #expect(try place.run(word).output == version) }
        #expect(try place.run("help", "location", "set").output.hasPrefix("OVERVIEW: Changes a location"))
    }

    @Test func `A location that a line spells otherwise is suggested`() throws {
        try place.run("location", "add", "Main hall")
        let ingested = try place.run("ingest", input: event(1, location: "Main Hall"))
        #expect(ingested.output.contains("Did you mean 'Main hall'?"))
    }

    @Test func `The paragraphs of the help are wrapped as a whole`() throws {
        let help = try Workplace.deaf().run("--experimental-dump-help").output
        let texts = help.split(separator: "\n").filter { $0.contains("\"discussion\" : ") }
        #expect(texts.count > 20)
        for text in texts { #expect(!text.replacing("\\n\\n", with: "").contains("\\n"), "\(text)") }
    }

    @Test(arguments: ["doctor", "devices"])
    func `The help of what only looks has no options of counting`(command: String) throws {
        let help = try place.run(command, "--help").output
        #expect(help.contains("--device") && !help.contains("--debounce") && !help.contains("--start"))
        #expect(help.contains("--speech") == (command == "doctor"))
        expectFailure(try place.run(command, "--debounce", "1s"), 64, "Unknown option '--debounce'")
    }

    @Test(arguments: [
        (["verify"], "all 2 rows agree"), (["day"], "no day of 'default' has been ended"),
        (["location", "add", "Bar"], "'Bar' is added"),
        (["location", "add", "Bar", "--data-dir", "NEW"], "'Bar' is added, beside the empty 'default'"),
        (["location", "set", "default", "--capacity", "5"], "'default': capacity 5"),
        (["watch", "--when", "full", "--", "true"], "watching for full"),
        (["ingest", "--socket", "SOCKET"], "listening at SOCKET"),
    ])
    func `At a terminal a command says what it did`(words: [String], said: String) throws {
        try place.run("add")
        try place.run("add")
        let socket = place.directory + "/s"
        let child = try place.start(
            words.map { ["SOCKET": socket, "NEW": place.directory + "/new"][$0] ?? $0 },
            streams: .terminal(columns: 200, rows: 24))
        #expect(
            try child.readLine()?.filter { $0 != "\r" }
                == "counter: " + said.replacing("SOCKET", with: socket))
        try child.signal(SIGTERM)
        _ = try child.wait()
    }

    @Test func `A journal that another program holds has an exit code of its own`() throws {
        try place.run("add")
        let other = try place.database()
        try other.execute("BEGIN IMMEDIATE")
        expectFailure(try place.run("add"), 75, "journal.sqlite")
    }

    @Test func `What resembles nothing is not guessed`() throws {
        for words in [["nonsense"], ["show", "--location", "Cellar"], ["device", "disable", "camera"]] {
            #expect(try !place.run(words).errors.contains("Did you mean"))
        }
    }
}
