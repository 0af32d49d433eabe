import ArgumentParser
import CounterModel
import CounterStore
import Glibc

/// `counter import`: entries of a file into the journal.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes counts and resets of a file into the journal.",
        discussion: """
            The file is CSV with a header line, or JSON Lines, with the fields timestamp (ISO 8601 with its offset),
            delta (1 or -1), and where they are known deviceId, locationId, sequenceNumber, userId, type, value.
            A file that is imported again changes nothing. A line that is wrong is reported and stops no other.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions
    @Option(help: ArgumentHelp("By itself it is told by the file's first character.", valueName: "csv|jsonl"))
    var format: ImportFile.Format?
    @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file")) var path: String

    func run() throws {
        let settings = try Settings(journal.layer, place.layer)
        let file = try ImportFile(path: path, format: format)
        let reader = try RowReader(file)
        let journal = try SQLiteJournal(directory: settings.dataDirectory, timezone: Paths.timezone)
        let location = try Location.named(settings.location, in: journal).id
        let refusals = Refusals(file.name)
        let requests = reader.lines.lazy.compactMap { line in
            do throws(ExchangeRow.Unusable) {
                return try reader.row(line).request(
                    location: location, line: ImportLine(fileHash: file.hash, number: line.number))
            } catch {
                refusals.report(line.number, error.reason)
                return nil
            }
        }
        let summary = try journal.import(requests, receivedAt: WallClock().now) { request, refusal in
            refusals.report(request.line, refusal.reason(request))
        }
        try Output.line(
            "accepted \(summary.accepted), duplicate \(summary.duplicate), refused \(refusals.count)")
        if refusals.count > 0 { throw ExitCode(EX_DATAERR) }
    }
}

/// The lines that were not taken, told as they come.
private final class Refusals {
    private let file: String
    private(set) var count = 0

    init(_ file: String) { self.file = file }

    func report(_ line: Int, _ why: String) {
        count += 1
        Output.complain(Failure("\(file):\(line): \(why)", status: EX_DATAERR))
    }
}

extension Refusal {
    fileprivate func reason(_ request: Request) -> String {
        switch self {
        case .overflow: "the count can go no further"
        case .unknownLocation:
            "there is no location '\(request.locationId)'; add it with: counter location add"
        case .lateReset: "the reset is older than the location's last one"
        }
    }
}

extension Request {
    /// The number of the line that it was read from; 0 for none.
    fileprivate var line: Int {
        switch change {
        case .entry(let entry): entry.line?.number ?? 0
        case .reset(let reset): reset.line?.number ?? 0
        case .void, .undo: 0
        }
    }
}
