import ArgumentParser
import CounterModel
import CounterStore
import Reports
import System
import Transfer

/// `counter location`: the locations of the journal.
struct LocationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "location", abstract: "Adds, lists, changes and removes the locations of a journal.",
        discussion: """
            A location is a tally until it gets a capacity; then it is an occupancy, with a status and places left. Each \
            change stands in the journal with who made it and when.
            """,
        subcommands: [List.self, Add.self, Set.self, Remove.self], defaultSubcommand: List.self)

    /// `counter location list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Prints the locations with their counts, one a line.")

        @OptionGroup var journal: JournalOptions
        @Flag(help: "Those that were removed too.") var all = false
        @Flag(help: "Prints a JSON object for each.") var json = false

        func run() throws {
            let journal = try SQLiteJournal.existing(try Settings(journal.layer))
            let rows = try journal.locations().filter { all || !$0.isHidden }.map { location in
                LocationRow(location: location, state: try journal.existingState(of: location.id))
            }
            if json { return try rows.forEach { try Output.line($0.json) } }
            try TextTable.lines(LocationRow.header, rows.map(\.cells)).forEach { try Output.line($0) }
        }
    }
}

/// A location as `counter location list` prints it.
private struct LocationRow {
    static let header = ["NAME", "COUNT", "CAPACITY", "STATUS", "TIMEZONE", "DAY STARTS", "ID"]

    let location: Location
    let state: CounterState

    var cells: [String] {
        let capacity = location.maxCapacity.map(String.init) ?? "-"
        let status = location.isHidden ? "removed" : state.status?.rawValue ?? "-"
        let hour = location.dayStart < 10 ? "0\(location.dayStart):00" : "\(location.dayStart):00"
        return [
            location.name, String(state.currentCount), capacity, status, location.timezone, hour, location.id,
        ]
    }

    var json: String {
        var object = JSONLine()
        object.add("id", location.id)
        object.add("name", location.name)
        object.add("timezone", location.timezone)
        object.add("dayStart", location.dayStart)
        object.add("count", state.currentCount)
        object.add("maxCapacity", location.maxCapacity)
        object.add("status", state.status?.rawValue)
        object.add("admitsOverFull", location.admitsOverFull)
        object.add("isHidden", location.isHidden)
        object.add("openingHours", location.openingHours?.description)
        object.add("endsDaysAutomatically", location.endsDaysAutomatically)
        object.add("group", location.group)
        return object.text
    }
}
