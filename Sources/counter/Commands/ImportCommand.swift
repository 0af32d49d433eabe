import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Transfer

/// `counter import`: appends the entries of a file to the journal.
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
            journal then has the same locations, settings, devices and rows, and the same figures. Locations and devices \
            that are there already keep their names; rows that are there already change nothing.

            Each line is accepted; or a duplicate, known by its file and number, or by its device and sequenceNumber; or a \
            conflict, which counts though the device has sent another event by that number, for it has started again; or \
            refused. Lines of the latter two are told on standard error, those with the same problem together. It exits \
            65 where any was refused.

            Lines are appended in the order of the file, and the level folds them in that order. A count after a reset \
            of the same file counts at its own timestamp, but no earlier than that reset; so does it in figures and in \
            lists of entries. A count from before the location's last reset, where that is not of this file, is late: it \
            corrects the history of its day, and not today's level. A reset from before that one is refused.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions
    @Option(
        help: ArgumentHelp(
            "By default it is detected from the file's first character.", valueName: "csv|jsonl"))
    var format: ImportFile.Format?
    @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file"), completion: .file())
    var path: String

    func run() throws {
        let settings = try Settings(journal.layer, locationOption.layer)
        let file = try ImportFile(path: path, format: format)
        let reader = try ImportReader(file)
        if reader.isJournal, locationOption.location != nil {
            throw ProgramError(
                "--location is not for an exported journal: its lines name their locations", status: EX_USAGE)
        }
        let journal = try SQLiteJournal.openedToChange(settings)
        let location = try journal.existingLocation(named: settings.location).id
        let report = ImportReport(file.name, try journal.locations())
        defer { report.finish() }
        var lines = reader.lines
        var failure: (any Error)?
        let items = AnyIterator<ImportItem> {
            do {
                while let line = try lines.next() {
                    do throws(LineError) {
                        guard let item = try reader.item(of: line, location: location) else {
                            continue
                        }
                        report.await(line.number)
                        return item
                    } catch { report.refuse(line.number, error.why) }
                }
            } catch { failure = error }
            return nil
        }
        let summary = try journal.import(items, receivedAt: WallClock().now) { results in
            report.note(results, progress: lines.progress)
        }
        report.finish()
        if let failure { throw failure }
        try Output.line(
            "accepted \(summary.accepted), duplicate \(summary.duplicate), conflict \(summary.conflict), "
                + "refused \(report.refused)")
        if report.refused > 0 { throw ExitCode(EX_DATAERR) }
    }
}
