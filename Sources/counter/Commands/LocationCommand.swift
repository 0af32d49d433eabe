import ArgumentParser
import CounterModel
import CounterStore
import Glibc

/// `counter location`: the places that are counted.
struct LocationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "location", abstract: "Adds and lists the locations of a journal.",
        subcommands: [List.self, Add.self], defaultSubcommand: List.self)

    /// `counter location list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Prints the locations, one a line, with their counts.")

        @OptionGroup var journal: JournalOptions
        @Flag(help: "Prints a JSON object for each.") var json = false

        func run() throws {
            let journal = try SQLiteJournal.existing(try Settings(journal.layer))
            for location in try journal.locations() {
                let count = try journal.existingState(of: location.id).currentCount
                try Output.line(json ? object(location, count) : "\(location.id)\t\(count)")
            }
        }

        private func object(_ location: Location, _ count: Int) -> String {
            var object = JSONLine()
            object.add("id", location.id)
            object.add("name", location.name)
            object.add("timezone", location.timezone)
            object.add("count", count)
            return object.text
        }
    }

    /// `counter location add NAME`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds a location at 0.")

        @OptionGroup var journal: JournalOptions
        @Argument(help: "Its name.") var name: String

        func validate() throws {
            let isPlain =
                !name.isEmpty && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            guard isPlain, name.count <= 64 else {
                throw ValidationError("a name has 1 to 64 characters, none of them a control character")
            }
        }

        func run() throws {
            let settings = try Settings(journal.layer)
            let journal = try SQLiteJournal(directory: settings.dataDirectory, timezone: Paths.timezone)
            let location = Location(id: name, name: name, timezone: Paths.timezone)
            guard try journal.add(location) else {
                throw Failure("there is a location '\(name)' already", status: EX_DATAERR)
            }
        }
    }
}
