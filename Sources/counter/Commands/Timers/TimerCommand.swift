import Alarms
import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Reports

/// `counter timer`: windows of time, and what was counted in them.
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

    /// `counter timer list`
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

    /// `counter timer start`
    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start", abstract: "Starts a timer.",
            discussion: """
                It counts in the location that --location names, or else in the one that is counted where none is named. \
                Ten minutes after its end was acknowledged it leaves the list; with --keep it stays. Its result stays in \
                either case. Mode, urgency and volume are those of [timers] in the configuration file where no option \
                names others.
                """)

        @OptionGroup var journal: JournalOptions
        @OptionGroup var place: LocationOptions
        @OptionGroup var options: TimerOptions
        @Flag(help: "Prints it as a JSON object.") var json = false
        @OptionGroup var words: TimerWords

        func validate() throws { try options.validate(place) }

        func run() throws {
            let settings = try Settings(journal.layer, place.layer)
            let access = try TimerAccess(SQLiteJournal.openedToChange(settings), settings.timers)
            var setup = try words.setup(settings.timers)
            try options.apply(
                to: &setup, location: options.all ? nil : settings.location, in: access.journal)
            let timer = try access.service.start(setup, at: access.moment).orFailure()
            try access.tellStart(timer, json: json)
        }
    }

    /// `counter timer results`
    struct Results: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "results",
            abstract: "Prints the timers of a range, removed ones too, with what was counted in them.",
            discussion: """
                A range is as in 'counter history'; a timer is in it if it was started in it. With --location only those \
                that count there. Times are local; in JSON and CSV they are in UTC.
                """)

        @OptionGroup var journal: JournalOptions
        @OptionGroup var place: LocationOptions
        @Option(
            help: ArgumentHelp("Such as today, 2h, 7d, 'last week'. Default: 7d", valueName: "range"),
            completion: .ranges)
        var range = "7d"
        @Flag(help: "Prints a JSON object for each.") var json = false
        @Flag(help: "Prints CSV with a header: a line for each location, and one for their sum.") var csv =
            false

        func validate() throws {
            if json, csv { throw ValidationError("--json and --csv exclude each other") }
        }

        func run() throws {
            let settings = try Settings(journal.layer, place.layer)
            let access = try TimerAccess(SQLiteJournal.existing(settings))
            let location = try access.journal.existingLocation(named: settings.location)
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
