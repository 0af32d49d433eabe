import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Reports
package import Transfer

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints the counts and resets that have not been taken back.",
        discussion: """
            All locations, or the one that --location names. Imported into a journal with the same locations they give \
            the same counts.

            With --all it is the whole journal: locations, settings, devices, when these were connected, and every row, those \
            that were taken back too, as counter listen --json writes them. Imported into an empty journal, that one gives \
            the same figures: counter export --format jsonl --all | counter import - --data-dir DIR

            A file that the journal had imported is not known to the new one: imported there again it counts again.

            The columns of --spreadsheet: time, when the row counts, in the zone of its location; location; what, which is \
            in, out, correction, reset or end of day; change, +1, -1 or by how much a correction moved the count, and empty \
            where the count was set; count, that of the location after the row; device; user; reason. So the sum of change \
            between two ends of days is what was left over.
            """)

    @OptionGroup var place: LocationOptions
    @Option(
        help: ArgumentHelp("csv, with a header line; or jsonl, an object a line.", valueName: "csv|jsonl"))
    var format = ImportFile.Format.csv
    @Flag(help: "With --format jsonl: the whole journal, for an empty one.") var all = false
    @Flag(help: "Writes times in the zone of each location, with their offsets from UTC.") var localTime =
        false
    @Flag(
        help: """
            For spreadsheets: puts an apostrophe before texts of CSV that they would take for formulas. Such a file is \
            not to be imported.
            """)
    var safeFormulas = false
    @Flag(
        help: """
            A table for LibreOffice and Excel, in the order of time: local times, names, changes, counts; see above. Not to be \
            imported.
            """)
    var spreadsheet = false

    func validate() throws {
        if spreadsheet, format != .csv { throw ValidationError("--spreadsheet is for --format csv") }
        if spreadsheet, localTime {
            throw ValidationError("--spreadsheet and --local-time exclude each other: its times are local")
        }
        if all, format != .jsonl { throw ValidationError("--all is for --format jsonl") }
        if all, place.location != nil { throw ValidationError("--all and --location exclude each other") }
        if all, localTime { throw ValidationError("--all and --local-time exclude each other") }
        if safeFormulas, format != .csv { throw ValidationError("--safe-formulas is for --format csv") }
    }

    func run() throws {
        let journal = try SQLiteJournal.existing(try Settings(place.journal.layer))
        let only = try place.location.map { try journal.existingLocation(named: $0).id }
        let locations = try journal.locations()
        var writer = LineWriter()
        if all {
            var feed = try JournalFeed(journal, after: .start)
            while feed.isBehind { for line in try feed.next() { try writer.line(line) } }
        } else if spreadsheet {
            var sheet = Spreadsheet(locations, try journal.devices())
            try writer.line(Spreadsheet.header)
            try journal.forEachRow(of: only) { try writer.line(sheet.line($0)) }
        } else {
            let format = ExportFormat(
                format, of: try journal.ids(), isSafeForFormulas: safeFormulas,
                in: localTime ? LocationTimes(locations) : nil)
            if let header = format.header { try writer.line(header) }
            try journal.forEachRow(of: only) { try writer.line(format.line($0)) }
        }
        try writer.flush()
    }
}

extension ImportFile.Format: ExpressibleByArgument {}

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes a file into the journal: counts and resets, or a whole exported journal.",
        discussion: """
            The file is CSV with a header line, or JSON Lines, with the fields timestamp (ISO 8601 with its offset), \
            delta (1 or -1), and where they are known deviceId, locationId, sequenceNumber, userId, type, value, reason. \
            The type is in, out, correction (with any delta), or reset (with a value). \
            A file that is imported again changes nothing, and neither does an export in the journal that it is from: its \
            rows are known by their rowId. A line that is wrong is reported and stops no other.

            What counter export --all or counter listen --json has written is recognised by its first line: an empty \
            journal then has the same locations, settings, devices and rows, and the same figures. Rows that are there already \
            change nothing.

            Each line is accepted; or a duplicate, known by its file and number, or by its device and sequenceNumber; or a \
            conflict, which counts though the device has sent another event by that number, for it has started again; or \
            refused. Lines of the latter two are told on standard error, those with the same problem together. It exits \
            65 where any was refused.

            Lines count in the order of the file. A count after a reset \
            of the same file counts at its own timestamp, but no earlier than that reset; so does it in figures and in \
            lists of entries. A count from before the location's last reset, where that is not of this file, is late: it \
            corrects the history of its day, and not today's level. A reset from before that one is refused.

            Tables of other programs come in with --columns, and with --timezone where their times have no offset: \
            2025-11-18 10:02:00, 18.11.2025 10:02, or a date alone. The separator is a comma, a semicolon or a tab. A \
            location may be given by its name. A delta of +12, or numbers in the columns in and out, are totals: so \
            many counts, spread evenly over an hour (--period) or, where there is a date alone, over the day's opening \
            hours, each with the total as its reason.

            Where a location ends its days by itself, and everywhere with --end-days, each day of the file that is over \
            ends with what the file has of it, so the past leaves today's count alone; after an import without it, the same \
            command with it ends them. A time that is still to come counts now, at the time of the import, which is told.

            With --undo all that the file has brought is taken back, whatever the other options: its counts, resets and \
            ends of days, though not what they did to days that were ended here since. A file is known by its content, so it must not have \
            changed. It asks first. Imported again, after that, the file counts again.

            For example: counter import visitors.csv --columns timestamp=Date,locationId=Room,in=In,out=Out --timezone \
            Europe/Berlin
            """)

    @OptionGroup var place: LocationOptions
    @Option(
        help: ArgumentHelp(
            "By default it is detected from the file's first character.", valueName: "csv|jsonl"))
    var format: ImportFile.Format?
    @Option(
        help: ArgumentHelp(
            """
            Which column of a CSV file is which field, such as timestamp=Date,in=In; timestamp=Date+Time joins two.
            """, valueName: "field=column,..."),
        transform: Self.names)
    var columns: ColumnNames?
    @Option(
        help: ArgumentHelp("The zone of times without an offset, such as Europe/Berlin.", valueName: "zone"))
    var timezone: String?
    @Option(
        help: ArgumentHelp("The period of a total with a time; by default 1h.", valueName: "duration"),
        transform: Self.period)
    var period: Duration?
    @Flag(help: "Ends each day of the file, in all locations.") var endDays = false
    @Flag(help: "Takes back all that the file has brought.") var undo = false
    @Flag(help: "With --undo: does not ask.") var yes = false
    @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file"), completion: .file())
    var path: String

    private static func names(_ text: String) throws -> ColumnNames {
        do { return try ColumnNames(text) } catch { throw ValidationError(error.why) }
    }

    private static func period(_ text: String) throws -> Duration {
        guard let period = DurationText.read(text), .seconds(1)...(.seconds(86_400)) ~= period else {
            throw ValidationError("a period is 1s to 24h, \(DurationText.forms)")
        }
        return period
    }

    func validate() throws {
        if yes, !undo { throw ValidationError("--yes is for --undo: an import does not ask") }
    }

    func run() throws {
        let settings = try Settings(place.layer)
        let file = try ImportFile(path: path, format: format)
        if undo { return try takeBack(file, try .openedToChange(settings, creating: false)) }
        let reader = try ImportReader(file, names: columns)
        if reader.isJournal {
            for (option, isGiven) in [
                ("location", place.location != nil), ("timezone", timezone != nil),
                ("period", period != nil), ("end-days", endDays),
            ] where isGiven {
                throw ProgramError(
                    "--\(option) is not for an exported journal: its lines say all", status: EX_USAGE)
            }
        }
        if let timezone { try ZoneDatabase().require(timezone) }
        let journal = try SQLiteJournal.openedToChange(settings)
        let location = try journal.existingLocation(of: settings).id
        let now = WallClock().now
        let stored = try journal.importedFile(file.hash)
        let report = try ImportReport(file.name, into: journal, now: now)
        defer { report.finish() }
        let options = ImportOptions(timezone: timezone, period: period, endsDays: endDays)
        let items = try ImportItems(
            reader, hash: stored.hash, options, location: location, report: report)
        let summary = try journal.import(items, receivedAt: now) { results in
            report.note(results, progress: items.progress)
        }
        report.finish()
        journal.tellNewId()
        if let failure = items.failure { throw failure }
        let days = summary.endedDays > 0 ? ", days ended \(summary.endedDays)" : ""
        try Output.line(
            "accepted \(summary.accepted), duplicate \(summary.duplicate), conflict \(summary.conflict), "
                + "refused \(report.refused)\(days)")
        if stored.isTakenBack, summary.accepted > 0 {
            Output.tell("\(file.name): was imported before and taken back; now it counts again")
        }
        let undo = "to take this import back: \(path == "-" ? "… | " : "")\(command("--undo").text)"
        if let words = report.futureWords {
            Output.tell(words, remedy: "Check the year, and --timezone; \(undo)")
        }
        if !endDays, let words = report.movedWords {
            Output.tell(words, remedy: "To end these days: the same command with --end-days; \(undo)")
        }
        if report.refused > 0 { throw ExitCode(EX_DATAERR) }
    }

    private func command(_ options: String...) -> RemedyCommand {
        RemedyCommand(["counter", "import", path] + options)
    }

    private func takeBack(_ file: ImportFile, _ journal: SQLiteJournal) throws {
        let rows = try journal.rows(ofFile: file.hash)
        guard !rows.isEmpty else {
            if try journal.importedFile(file.hash).isTakenBack {
                throw ProgramError("\(file.name): is taken back already", status: EX_UNAVAILABLE)
            }
            throw ProgramError(
                "\(file.name): no row of it is in the journal",
                remedy:
                    "A file is known by its content: has it changed since? Rows of other journals, which have a rowId, "
                    + "are taken back one by one: counter undo --position N",
                status: EX_UNAVAILABLE)
        }
        if !yes {
            let count = rows.count == 1 ? "the row" : "all \(rows.count) rows"
            try Confirmation.require(
                "Take back \(count) that \(file.name) has brought?", without: command("--undo", "--yes"))
        }
        let count = try journal.takeBack(
            rows, ofFile: file.hash, userId: LoginName.current, at: WallClock().now)
        try Output.line("taken back \(count)")
    }
}

struct IngestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Reads events from doors and sensors, one JSON object a line.",
        discussion: """
            Each line is a JSON object with timestamp (ISO 8601 with its offset), delta (1 or -1) and deviceId, and where \
            they are known locationId and sequenceNumber; or a line of counter listen --json. It is answered by a line \
            once it is stored: {"line":N,"result":"accepted"}, or duplicate, conflict (it counts; the device has started \
            its numbers again) or refused, with why. Without --socket it reads standard input to its end, and ends with \
            65 where lines were refused.
            """)

    /// How long a commit may wait for another program before this one handles signals again, in seconds.
    private static let busyTimeout = 0.1
    /// From one attempt to open a journal on a full disk to the next.
    private static let pauseOfFullDisk = Duration.seconds(1)

    @OptionGroup var place: LocationOptions
    @Option(
        help: ArgumentHelp(
            "Listens at this Unix socket, for programs of this user, until SIGTERM or SIGINT (Ctrl-C).",
            valueName: "path"))
    var socket: String?

    func validate() throws {
        if socket == "" { throw ValidationError("--socket wants a path") }
    }

    func run() throws {
        let signals = try SignalDescriptor(MainLoop.signals)
        let settings = try Settings(place.layer)
        if socket == nil { try Output.require() }
        guard let session = try Self.session(settings, unless: signals) else { return }
        let listener = try socket.map(Self.listener)
        if let socket { Output.note("listening at \(socket)") }
        try IngestLoop(session, listener: listener, signals: signals).run()
        if socket == nil, session.refused > 0 { throw ExitCode(EX_DATAERR) }
    }

    /// Opens the journal; waits where the disk is full, as it does later. Nil where a signal has come meanwhile.
    private static func session(_ settings: Settings, unless signals: SignalDescriptor) throws
        -> IngestSession?
    {
        var isReported = false
        while true {
            do { return try session(settings) } catch let error as JournalError
                where error.reason == .diskFull
            {
                if !isReported { Output.complain(ProgramError(error)) }
                isReported = true
                var wait = PollSet()
                wait.add(signals.number)
                try wait.wait(until: .now + pauseOfFullDisk)
                if signals.next() != nil { return nil }
            }
        }
    }

    private static func session(_ settings: Settings) throws -> IngestSession {
        let journal = try SQLiteJournal.opened(settings, busyTimeout: busyTimeout)
        try journal.requireAdmin()
        journal.tellNewId()
        return try IngestSession(
            journal, location: try journal.countedLocation(of: settings).id,
            follower: try JournalFollower(journal),
            now: { WallClock().now })
    }

    private static func listener(_ path: String) throws(ProgramError) -> StreamListener {
        do throws(SystemCallError) {
            // No other program could connect to it.
            if path.utf8.count > StreamListener.maxPath {
                throw SystemCallError(call: "bind", subject: path, errno: ENAMETOOLONG)
            }
            return try StreamListener(path, lock: LockFile(path + ".lock"), servesOthers: true)
        } catch {
            switch error.errno {
            case EWOULDBLOCK,
                EADDRINUSE where StreamListener.isSocket(path):
                throw ProgramError(
                    "\(path): is already in use",
                    remedy: "End the program that listens there, or name another path.",
                    status: EX_UNAVAILABLE)
            case EADDRINUSE:
                throw ProgramError(
                    "\(path): exists and is not a socket", remedy: "Name another path.",
                    status: EX_CANTCREAT)
            default:
                // Where the directory is missing, the lock beside the socket is not what is missing.
                throw ProgramError(
                    "\(error.subject.isEmpty || error.errno == ENOENT ? path : error.subject): \(error.reason)",
                    remedy: remedy(error), status: EX_CANTCREAT)
            }
        }
    }

    private static func remedy(_ error: SystemCallError) -> String? {
        switch error.errno {
        case ENOENT: "Make its folder first."
        case ENAMETOOLONG: "A socket's path has \(StreamListener.maxPath) bytes at most."
        default: Linux.remedy(forLimit: error.errno)
        }
    }
}

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Replays the journal and compares everything derived from it.",
        discussion:
            "Exits 0 where all agrees, which it says at a terminal only; otherwise prints what differs and exits 1."
    )

    @OptionGroup var journal: JournalOptions

    @Flag(help: "Makes everything that is derived anew from the journal.") var rebuild = false

    func run() throws {
        let settings = try Settings(journal.layer)
        let journal =
            rebuild
            ? try SQLiteJournal.openedToChange(settings, creating: false)
            : try SQLiteJournal.existing(settings)
        if rebuild { try journal.rebuild() }
        let findings = try journal.verify()
        for finding in findings { try Output.line(finding.text.sanitised) }
        if !findings.isEmpty { throw ExitCode(1) }
        let rows = try journal.lastPosition().number
        Output.note(rows == 1 ? "the journal's only row agrees" : "all \(rows) rows agree")
    }
}

extension JournalFinding {
    fileprivate var text: String {
        switch self {
        case .differs(let table, let row, let stored, let replayed):
            "\(table), \(row): stored \(stored ?? "nothing"), replayed \(replayed ?? "nothing")"
        case .damaged(let report): "damaged: \(report)"
        case .missingTrigger(let name):
            "the trigger \(name) is missing, which keeps the journal from being rewritten"
        }
    }
}
