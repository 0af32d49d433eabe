import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Reports

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Prints how many are inside now, how full that is, and anomalies.",
        discussion: """
            Of all locations with the totals of groups and of all, or of the one that --location names. SEEN is how long ago it last reported: \
            an event, or a sign of life of a device that counts into it. IN and OUT are those of the present \
            operational day; of tallies, which have no capacity, they are UP and DOWN, beside others +7 and -3. NOTES says too \
            where a day was not ended: counter day end --yesterday ends it. A device is stale that is assigned to the location, or has reported today, but not within \
            stale-after (120s) of the opening hours or, without them, of the hours from the first event to the last of a \
            usual day; one that was never seen, or is disabled, never is.

            With --exit-code it ends with the sum of what applies to any of them: 1 a device is stale, 2 from 80 % of \
            the capacity on, 4 full, 8 overcrowded (more than 110 %), 16 more exits than entries have been counted; 0 \
            where nothing does. A full hall that is overcrowded gives 12. Errors end with 64 and more.
            """)

    @OptionGroup var place: LocationOptions
    @Flag(help: "Prints a JSON object for each location.") var json = false
    @Flag(help: "Ends with the status as a sum of bits; see above.") var exitCode = false

    func run() throws {
        let settings = try Settings(place.journal.layer)
        let journal = try SQLiteJournal.existing(settings)
        let named = try place.location.map { [try journal.existingLocation(named: $0)] }
        let locations = try named ?? journal.locations().filter { !$0.isHidden }
        let now = WallClock().now
        let reports = try locations.map {
            try StatusReport(
                $0, in: journal, staleAfter: settings.session.staleAfter,
                silentAfter: settings.session.silentAfter, now: now)
        }
        let rows = json ? reports : reports + reports.totals
        try StatusReport.table(of: rows).print(rows, json: json)
        if let rows = try journal.mistimedRows() { Output.tell(rows.doubt, remedy: MistimedRows.remedy) }
        let code = reports.reduce(0) { $0 | $1.exitCode }
        if exitCode, code != 0 { throw ExitCode(code) }
    }
}

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Runs a command each time a location becomes full, stale or the like.",
        discussion: """
            Of all visible locations, or of the one that --location names. The command runs for each of these changes, whichever \
            program has counted, one at a time and in their order; while it runs, further ones wait in the journal. It \
            goes on until SIGTERM or SIGINT (Ctrl-C), and lets a running command end first.

            The first time, it waits for the next change. A later start with the same journal, location, conditions and command \
            goes on where the last one ended: the command runs for what happened in between. It runs at most once for each \
            change: the change is recorded in ~/.local/state/counter/watch before the command starts. After a kill at that \
            moment it may not have run, which the next start says. A command that runs during a kill goes on.

            Conditions: ok, warning (from 80 % of the capacity on), full, overcrowded (more than 110 %), negativeDrift \
            (more exits than entries have been counted), stale (a device has not reported within stale-after, see counter help status), live \
            (no device is stale any more), change (the count has changed).

            The command's environment has COUNTER_EVENT (the condition), COUNTER_LOCATION (its id), \
            COUNTER_LOCATION_NAME, COUNTER_COUNT, COUNTER_LEVEL, COUNTER_MORE_LEFT_THAN_ENTERED, COUNTER_MAX_CAPACITY, \
            COUNTER_PERCENTAGE, COUNTER_PLACES_LEFT, COUNTER_STATUS, COUNTER_STALE_DEVICES, COUNTER_TIMESTAMP and \
            COUNTER_POSITION, all as of that change, and COUNTER_DATA_DIR. COUNTER_STALE_DEVICES has an id on each line. Its standard input is empty. If it fails, a message says so, and \
            the next change runs it again.
            """)

    @OptionGroup var place: LocationOptions

    @Option(
        help: ArgumentHelp(
            "What the command is run for, several divided by commas.", discussion: "Default: all but change",
            valueName: "conditions"),
        completion: .list(LocationCondition.allCases.map(\.rawValue)))
    var when: String?

    @Option(
        help: ArgumentHelp(
            "How long after a run none is made for the same condition of the same location, such as 10min. Default: no such time",
            valueName: "time"),
        transform: Self.pause)
    var atMostEvery: Duration = .zero

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The command and its arguments, behind --.", valueName: "command"),
        completion: .shellCommand("compgen -c"))
    var command: [String]

    func validate() throws { _ = try conditions() }

    func run() throws {
        let signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD])
        let settings = try Settings(place.journal.layer)
        if let problem = CommandProcess.problem(of: command[0]) {
            throw WatchLoop.failure(of: command[0], errno: problem)
        }
        let journal = try SQLiteJournal.existing(settings)
        let location = try place.location.map { try journal.existingLocation(named: $0) }
        let conditions = try conditions()
        let follower = try JournalFollower(journal)
        let names = conditions.map(\.rawValue).sorted()
        let identity = [try journal.id(), location?.id.text ?? ""] + names + command
        let record = try WatchRecord(in: Paths.watchRecords(), of: identity, end: journal.lastPosition())
        Output.note("watching for \(names.joined(separator: ", "))")
        let events = try WatchEvents(
            journal, conditions, only: location?.id, staleAfter: settings.session.staleAfter,
            pause: atMostEvery, record: record, now: WallClock().now)
        try WatchLoop(
            command, variables: [Setting.dataDirectory.variable: settings.dataDirectory], events,
            follower: follower, signals: signals, now: { WallClock().now }
        ).run()
    }

    private static func pause(_ text: String) throws -> Duration {
        guard let pause = DurationText.read(text), pause <= .seconds(86_400) else {
            throw ValidationError("--at-most-every: '\(text)' is no time up to 24h, such as 10min")
        }
        return pause
    }

    private func conditions() throws -> Set<LocationCondition> {
        guard let when else { return Set(LocationCondition.states) }
        let words = when.split(separator: "," as Character, omittingEmptySubsequences: false).map(String.init)
        return Set(
            try words.map { word in
                if let condition = LocationCondition(rawValue: word) { return condition }
                let all = LocationCondition.allCases.map(\.rawValue)
                throw ValidationError(
                    "--when: '\(word)' is not a condition; choose from \(all.joined(separator: ", "))")
            })
    }
}
