import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Linux
import Reports

struct JournalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Prints the journals whose rows are here, and names this one.",
        subcommands: [List.self, Rename.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Prints this journal, and each other one whose rows are here.",
            discussion: """
                LAST ROW is when the other machine wrote the last row that has come here. A journal without a name is \
                called by the beginning of its id.
                """)

        @OptionGroup var journal: JournalOptions
        @Flag(help: "Prints a JSON object for each.") var json = false

        func run() throws {
            try KnownJournal.table.print(
                SQLiteJournal.existing(try Settings(journal.layer)).journals(), json: json)
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Names this journal, for other machines that have its rows.",
            discussion: """
                Without it, a journal gets the name of its machine when counter listen --json --after first sends its rows. \
                On other machines, History and Live then say where a row was made: ada on door-3.
                """)

        @OptionGroup var journal: JournalOptions
        @Argument(help: "The new name.") var name: String

        func validate() throws { if !NameRule.admits(name) { throw ValidationError(NameRule.text) } }
        func run() throws {
            try SQLiteJournal.openedToChange(try Settings(journal.layer)).rename(
                to: name, at: WallClock().now)
        }
    }
}

extension SQLiteJournal {
    /// Gives this journal the name of the machine unless it has one. Where it cannot be written, it is known by its id.
    func nameForOthers() {
        guard let name = HostName.current, NameRule.admits(name) else { return }
        try? rename(ifNamelessTo: name, at: WallClock().now)
    }
}

extension KnownJournal {
    static var table: Table<KnownJournal> {
        Table(
            [
                .init("journal", "ID") { .text($0.id) },
                .init("name", "NAME", words: { $0.isOwn ? "\($0.label) (this one)" : $0.label }) {
                    .text($0.name)
                },
                .init("isOwn") { .flag($0.isOwn) },
                .init("rows", "ROWS") { .number($0.rows) },
                .init("lastRowAt", "LAST ROW") { .time($0.lastRowAt) },
            ], titles: ["NAME", "ROWS", "LAST ROW", "ID"])
    }
}
