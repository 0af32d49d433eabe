import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Reports

struct DayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "day",
        abstract: "Ends an operational day, takes an end back, and prints the days that were ended.",
        subcommands: [List.self, End.self, Undo.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Prints the days of a location that were ended, the last first.",
            discussion: "An end of a day that was taken back is not among them.")

        @OptionGroup var place: LocationOptions
        @Flag(help: "Prints a JSON object for each.") var json = false

        func run() throws {
            let settings = try Settings(place.layer)
            let journal = try SQLiteJournal.existing(settings)
            let location = try journal.existingLocation(of: settings)
            let days = try journal.endedDays(of: location.id)
            let rows = DayRow.rows(of: days, at: location, now: WallClock().now)
            if !json, !rows.isEmpty { location.tellZoneNote() }
            if rows.isEmpty { Output.note("no day of '\(location.name)' has been ended") }
            try DayRow.table.print(rows, json: json)
        }
    }

    struct End: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end",
            abstract: "Archives what the day came to and sets the count to 0.",
            discussion: """
                A day goes from the one that was ended before, or from the start of the operational day where none was. \
                Days before it that were left open are archived too, each at its own end. All entries stay. What is \
                archived is shown and asked first; without a terminal, --yes is needed. Where nothing was counted since \
                the last end, nothing is archived. 'counter day undo' takes the last end back.
                """)

        @OptionGroup var place: LocationOptions
        @Flag(help: "Does not ask.") var yes = false
        @Flag(help: "Ends the days that are over and were not ended, each at its own end.")
        var yesterday = false
        @Flag(help: "Prints what was archived as a JSON object.") var json = false

        func run() throws {
            let settings = try Settings(place.layer)
            let journal = try SQLiteJournal.openedToChange(settings, creating: false)
            let location = try journal.existingLocation(of: settings)
            let ending = try DayEnd(
                of: location, in: journal, now: WallClock().now,
                overdue: yesterday ? try Self.overdueDay(of: location, journal) : nil)
            location.tellZoneNote()
            if let end = ending.emptySince {
                return Output.tell(
                    "'\(location.name)': nothing was counted since its last day ended at \(ending.zone.text(of: end)), so no day is ended"
                )
            }
            func row(_ snapshot: DaySnapshot, by userId: String? = nil) -> DayRow {
                DayRow(snapshot: snapshot, userId: userId, zone: ending.zone)
            }
            if !yes {
                let days = try ending.preview()
                let table = DayRow.table.text(days.map { row($0) }).joined(separator: "\n")
                let what = days.count == 1 ? "the day" : "these \(days.count) days, left open,"
                try Confirmation.require(
                    "\(table)\nEnd \(what) of '\(location.name.sanitised)' and set its count to 0?",
                    without: Self.command(
                        at: location, [yesterday ? "--yesterday" : nil, "--yes"].compactMap(\.self)))
            }
            let days = try ending.end(at: WallClock().now)
            try DayRow.table.print(days.map { row($0, by: LoginName.current) }, json: json)
        }

        /// - Throws: `ProgramError` (69) where there is no such day.
        private static func overdueDay(of location: Location, _ journal: SQLiteJournal) throws
            -> OperationalDay
        {
            if let overdue = try journal.overdueDay(of: location, now: WallClock().now) { return overdue.day }
            throw ProgramError(
                "'\(location.name)': no day that is over is still open",
                remedy: "To end the present day: \(command(at: location).text)", status: EX_UNAVAILABLE)
        }

        /// The command that ends a day of this location, whichever one is selected otherwise.
        private static func command(at location: Location, _ options: [String] = []) -> RemedyCommand {
            RemedyCommand(["counter", "day", "end"] + location.selection + options)
        }
    }

    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo", abstract: "Takes back the end of a day.",
            discussion: """
                The day is open again, and its count comes back. What comes back is shown and asked first; without a \
                terminal, --yes is needed. The end stays in the history, with who took it back and when.
                """)

        @OptionGroup var place: LocationOptions
        @Flag(help: "Does not ask.") var yes = false
        @Argument(help: "The day, such as 2026-01-14; otherwise the one that was ended last.")
        var day: String?

        func validate() throws {
            if let day, CalendarDate(iso8601: day) == nil {
                throw ValidationError("'\(day)' is no day such as 2026-01-14")
            }
        }

        func run() throws {
            let settings = try Settings(place.layer)
            let journal = try SQLiteJournal.openedToChange(settings, creating: false)
            let location = try journal.existingLocation(of: settings)
            let date = day.flatMap { CalendarDate(iso8601: $0) }
            let days = try journal.endedDays(of: location.id)
            guard let ended = days.first(where: { date == nil || location.date(of: $0) == date }) else {
                let which = date.map { "the day \($0) was not ended" } ?? "no day was ended"
                throw ProgramError(
                    "'\(location.name)': \(which), or its end is taken back already",
                    remedy: "To see the days that are: "
                        + RemedyCommand(["counter", "day", "list"] + location.selection).text,
                    status: EX_UNAVAILABLE)
            }
            let options = location.selection + [day, "--yes"].compactMap(\.self)
            let command = RemedyCommand(["counter", "day", "undo"] + options)
            try Changes(journal, location).takeBackEnd(ended.id, unasked: yes ? nil : command)
        }
    }
}

extension Location {
    /// The options that select this location, whichever one is selected otherwise.
    fileprivate var selection: [String] { id == Location.defaultId ? [] : ["--location", id.text] }

    /// The operational day in which a day was ended: at its very end that is the day that was over.
    fileprivate func date(of ended: EndedDay) -> CalendarDate {
        let last = ended.snapshot.to - .microseconds(1)
        return calendar(about: last).day(containing: last).date
    }

    /// Prints a note on standard error where times are not in the location's own zone.
    fileprivate func tellZoneNote() {
        if let note = zoneNote { Output.tell(note) }
    }
}
