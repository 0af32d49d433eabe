import ArgumentParser
import CounterModel
import CounterStore
import Reports

/// `counter location`: the locations of the journal.
struct LocationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "location",
        abstract: "Adds, lists, changes, hides and shows the locations of a journal.",
        discussion: """
            A location is a tally until it gets a capacity; then it is an occupancy, with a status and places left. Each \
            change stands in the journal with who made it and when.
            """,
        subcommands: [List.self, Add.self, Set.self, Hide.self, Show.self], defaultSubcommand: List.self)

    /// `counter location list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Prints the locations with their counts, one a line.")

        @OptionGroup var journal: JournalOptions
        @Flag(help: "Hidden ones too.") var all = false
        @Flag(help: "Prints a JSON object for each.") var json = false

        func run() throws {
            let journal = try SQLiteJournal.existing(try Settings(journal.layer))
            let rows = try journal.locations().filter { all || !$0.isHidden }.map { location in
                LocationRow(location, try journal.stateOrZero(of: location.id))
            }
            try LocationRow.table.print(rows, json: json)
        }
    }
}
