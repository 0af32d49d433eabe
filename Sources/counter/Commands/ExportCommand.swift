public import ArgumentParser
import CounterModel
import CounterStore
import Glibc
import System
public import Transfer

/// `counter export`: all entries.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints the counts and resets that have not been taken back.",
        discussion: """
            All locations, or the one that --location names. Imported into an empty journal they give the same counts.
            """)

    @OptionGroup var journal: JournalOptions
    // The option group of the parent command: a second option of that name here would stay empty, because the parent
    // parses it.
    @OptionGroup var place: LocationOptions
    @Option(
        help: ArgumentHelp("csv, with a header line; or jsonl, an object a line.", valueName: "csv|jsonl"))
    var format = ImportFile.Format.csv
    @Flag(
        help: """
            For spreadsheets: puts an apostrophe before texts of CSV that they would take for formulas. Such a file is \
            not to be imported.
            """)
    var safeFormulas = false

    func validate() throws {
        if safeFormulas, format != .csv { throw ValidationError("--safe-formulas is for --format csv") }
    }

    func run() throws {
        let journal = try SQLiteJournal.existing(try Settings(journal.layer))
        let only = try place.location.map { try journal.existingLocation(named: $0).id }
        let format = ExportFormat(format, isSafeForFormulas: safeFormulas)
        var writer = LineWriter()
        if let header = format.header { try writer.line(header) }
        try journal.forEachRow(of: only) { row in try writer.line(format.line(row)) }
        try writer.flush()
    }
}

extension ImportFile.Format: ExpressibleByArgument {}
