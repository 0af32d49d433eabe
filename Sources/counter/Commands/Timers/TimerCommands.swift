import Alarms
import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Linux
import Reports

struct TimerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer",
        abstract: "Times a count: starts, pauses and ends timers, and prints what was counted in them.",
        discussion: """
            A timer is a window on one location, several, or all. Its result is what was counted while it ran, taken from \
            the journal each time: an undo or a late event is right afterwards. At most five run or are paused. A timer is \
            named by its number in the list, or by its label.

            At its end it alerts twelve times, three seconds apart, in every counter that runs on the journal, until one \
            of them acknowledges it: by both volume keys, Enter, Space or a click, or by 'counter timer acknowledge'.
            """,
        subcommands: [
            List.self, Start.self, Pause.self, Resume.self, Stop.self, Again.self, Acknowledge.self,
            Remove.self, Results.self, TimerPresetCommand.self,
        ], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Prints the timers with what they have counted, one a line.")

        @OptionGroup var journal: JournalOptions
        @Flag(help: "Prints a JSON object for each.") var json = false

        func run() throws {
            let access = try TimerAccess(reading: journal)
            let reports = try access.board.timers(at: access.moment.now).map(access.report)
            try TimerReport.table.print(reports, json: json)
        }
    }

    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start", abstract: "Starts a timer.",
            discussion: """
                It counts in the location that --location names, or else in the one that is counted where none is named. \
                Ten minutes after its end was acknowledged it leaves the list; with --keep it stays. Its result stays in \
                either case. Mode, urgency and volume are those of [timers] in the configuration file where no option \
                names others.
                """)

        @OptionGroup var new: NewTimerArguments

        func run() throws {
            let (access, setup) = try new.setup()
            try access.tellStart(access.service.start(setup, at: access.moment), json: new.json)
        }
    }

    struct Results: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "results",
            abstract: "Prints the timers of a range, removed ones too, with what was counted in them.",
            discussion: """
                A range is as in 'counter history'; a timer is in it if it was started in it. With --location only those \
                that count there. Below the total of a timer there is a line for each of several locations and rounds. \
                COUNTED is how long it counted: all rounds with what was added, without pauses. Times are local; in JSON \
                and CSV they are in UTC.
                """)

        @OptionGroup var place: LocationOptions
        @Option(
            help: ArgumentHelp("Such as today, 2h, 7d, 'last week'. Default: 7d", valueName: "range"),
            completion: .ranges)
        var range = "7d"
        @Flag(help: "Prints a JSON object for each.") var json = false
        @Flag(help: "Prints CSV with a header and a line for each location, also with 0; times are in UTC.")
        var csv = false

        func validate() throws {
            if json, csv { throw ValidationError("--json and --csv exclude each other") }
        }

        func run() throws {
            let settings = try Settings(place.layer)
            let access = try TimerAccess(SQLiteJournal.existing(settings))
            let location = try access.journal.existingLocation(of: settings)
            let range = try LocationSpan(
                location, try HistorySelection(range), by: .day, now: access.moment.now
            ).range
            let reports = try access.board.timers(startedIn: range)
                .filter { place.location == nil || $0.locations.contains(location.id) }.map(access.report)
            if json { return try TimerReport.table.print(reports, json: true) }
            if csv { return try TimerReport.csv(reports).forEach { try Output.line($0) } }
            if !reports.isEmpty { try TimerReport.results(reports).forEach { try Output.line($0) } }
        }
    }
}

/// The timer that a command is about.
struct TimerArguments: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @Flag(help: "Prints it as a JSON object.") var json = false
    @Argument(help: "Its number in the list, or its label.", completion: .timers) var timer: String

    /// Does something with the timer, and prints it.
    func perform(_ action: TimerAction) throws {
        let access = try TimerAccess(changing: journal)
        let known = try access.board.timer(named: timer, at: access.moment.now)
        let timer = try access.service.perform(action, on: known.id, called: timer, at: access.moment)
        if action == .again { return try access.tellStart(timer, json: json) }
        try access.tell(timer, json: json)
    }
}

/// A command that does one thing with a timer, by the name of that action.
protocol TimerActionCommand: ParsableCommand {
    static var action: TimerAction { get }
    static var abstract: String { get }
    var arguments: TimerArguments { get }
}

extension TimerActionCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: action.rawValue, abstract: abstract)
    }

    func run() throws { try arguments.perform(Self.action) }
}

extension TimerCommand {
    struct Pause: TimerActionCommand {
        static let action = TimerAction.pause
        static let abstract = "Interrupts a timer that runs."
        @OptionGroup var arguments: TimerArguments
    }

    struct Resume: TimerActionCommand {
        static let action = TimerAction.resume
        static let abstract = "Lets a paused timer go on."
        @OptionGroup var arguments: TimerArguments
    }

    struct Stop: TimerActionCommand {
        static let action = TimerAction.stop
        static let abstract = "Ends a timer before its time; what it has counted stays."
        @OptionGroup var arguments: TimerArguments
    }

    struct Again: TimerActionCommand {
        static let action = TimerAction.again
        static let abstract = "Starts a timer again that has ended or was stopped, with a result of its own."
        @OptionGroup var arguments: TimerArguments
    }

    struct Acknowledge: TimerActionCommand {
        static let action = TimerAction.acknowledge
        static let abstract = "Ends the alarm of a timer that has ended, in every program."
        @OptionGroup var arguments: TimerArguments
    }

    struct Remove: TimerActionCommand {
        static let action = TimerAction.remove
        static let abstract = "Takes a timer that has ended or was stopped off the list; its result stays."
        @OptionGroup var arguments: TimerArguments
    }
}

/// The timers of a journal, for one command.
struct TimerAccess {
    let journal: SQLiteJournal
    let service: TimerService<SQLiteJournal>
    let locations: [Location]
    let moment: TimerMoment

    init(_ journal: SQLiteJournal, _ settings: TimerSettings = TimerSettings()) throws {
        self.journal = journal
        service = TimerService(journal, userId: LoginName.current, settings: settings)
        moment = TimerMoment(present: WallClock().now)
        locations = try journal.locations()
        try service.update()
    }

    init(reading options: JournalOptions) throws {
        try self.init(SQLiteJournal.existing(try Settings(options.layer)))
    }

    /// Opens the journal of the options for a change of a timer that is there.
    init(changing options: JournalOptions) throws {
        let settings = try Settings(options.layer)
        try settings.requireNoMistake()
        try self.init(SQLiteJournal.openedToChange(settings, creating: false), settings.preferences.timers)
    }

    var board: TimerBoard { service.board(at: moment) }

    var numbers: [String] { board.timers(at: moment.now).map { String($0.number) } }

    func report(_ timer: TimerData) throws -> TimerReport {
        TimerReport(
            timer, try journal.result(of: timer, at: moment.now), at: moment.now, locations: locations)
    }

    /// Prints what became of a timer that the command has changed. Its alarm comes though no `counter` runs.
    func tell(_ timer: TimerData, json: Bool) throws {
        RingerClient(executable: Paths.ringer, journal: journal.directory).lookAtTimers()
        let report = try report(timer)
        try Output.line(json ? TimerReport.table.json(report) : report.sentence.sanitised)
    }

    /// Prints a timer that the command has started, and on standard error why its alarm may need a running `counter`.
    func tellStart(_ timer: TimerData, json: Bool) throws {
        try tell(timer, json: json)
        if timer.setup.mode == .silent { return }
        let parts: [RingerPart] = [.manager] + (DesktopSession.isRemote ? [.lingering] : [])
        if let missing = RingerCheck.diagnoses(of: parts).first {
            Output.tell(missing.problem, remedy: missing.remedy)
        }
    }

    func tell(_ preset: TimerPreset, json: Bool) throws {
        try PresetReport.table.print([PresetReport(preset, locations: locations)], json: json)
    }
}
