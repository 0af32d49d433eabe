import ArgumentParser
import CounterModel
import CounterStore
import Glibc

/// `counter export`: everything that counts.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints the counts and resets that have not been taken back.",
        discussion: """
            All locations, or the one that --location names. Imported into an empty journal they give the same counts.
            """)

    @OptionGroup var journal: JournalOptions
    // The group of the command above: an option of that name here would stay empty, for that one takes it.
    @OptionGroup var place: LocationOptions
    @Option(
        help: ArgumentHelp("csv, with a header line; or jsonl, an object a line.", valueName: "csv|jsonl"))
    var format = ImportFile.Format.csv

    func run() throws {
        let journal = try SQLiteJournal.existing(try Settings(journal.layer))
        let only = try place.location.map { try Location.named($0, in: journal).id }
        let columns = ExchangeRow.Column.allCases
        var writer = LineWriter()
        if format == .csv { try writer.line(CSV.line(columns.map(\.rawValue))) }
        try journal.forEachRow(of: only) { row in try writer.line(line(ExchangeRow(row))) }
        try writer.flush()
    }

    private func line(_ row: ExchangeRow) -> String {
        let columns = ExchangeRow.Column.allCases
        switch format {
        case .csv: return CSV.line(columns.map { row.fields[$0] ?? "" })
        case .jsonl:
            var object = JSONLine()
            for column in columns { object.add(column, row.fields[column]) }
            return object.text
        }
    }
}

extension ImportFile.Format: ExpressibleByArgument {}

extension JSONLine {
    fileprivate mutating func add(_ column: ExchangeRow.Column, _ text: String?) {
        switch column {
        case .delta, .value, .sequenceNumber: add(column.rawValue, text.flatMap { Int($0) })
        case .timestamp, .type, .deviceId, .locationId, .userId, .source, .reason: add(column.rawValue, text)
        }
    }
}
