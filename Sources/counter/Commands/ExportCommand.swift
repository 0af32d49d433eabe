import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
package import Transfer

/// `counter export`: all entries, or the whole journal.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints the counts and resets that have not been taken back.",
        discussion: """
            All locations, or the one that --location names. Imported into a journal with the same locations they give
            the same counts.

            With --all it is the whole journal: locations, settings, devices, when these were connected, and every row, those
            that were taken back too, as counter listen --json writes them. Imported into an empty journal, that one gives
            the same figures: counter export --format jsonl --all | counter --data-dir DIR import -
            A file that the journal had imported is not known to the new one: imported there again it counts again.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions
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

    func validate() throws {
        if all, format != .jsonl { throw ValidationError("--all is for --format jsonl") }
        if all, locationOption.location != nil {
            throw ValidationError("--all and --location exclude each other")
        }
        if all, localTime { throw ValidationError("--all and --local-time exclude each other") }
        if safeFormulas, format != .csv { throw ValidationError("--safe-formulas is for --format csv") }
    }

    func run() throws {
        let journal = try SQLiteJournal.existing(try Settings(journal.layer))
        if all { return try exportAll(journal) }
        let only = try locationOption.location.map { try journal.existingLocation(named: $0).id }
        let times = LocationTimes(try journal.locations())
        let format = ExportFormat(
            format, journalId: try journal.id(), isSafeForFormulas: safeFormulas,
            time: localTime ? times.iso8601 : { time, _ in time.iso8601 })
        var writer = LineWriter()
        if let header = format.header { try writer.line(header) }
        try journal.forEachRow(of: only) { row in try writer.line(format.line(row)) }
        try writer.flush()
    }

    private func exportAll(_ journal: SQLiteJournal) throws {
        var writer = LineWriter()
        try JournalExport(journal, now: WallClock().now).forEachLine { try writer.line($0) }
        try writer.flush()
    }
}

extension ImportFile.Format: ExpressibleByArgument {}
