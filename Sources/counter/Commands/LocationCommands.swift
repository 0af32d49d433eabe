import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Linux
import Reports

struct LocationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "location",
        abstract: "Adds, lists, shows, changes and hides the locations of a journal.",
        discussion: """
            A location is a tally until it gets a capacity; then it is an occupancy, with a status and places left. Each \
            change stands in the journal with who made it and when.
            """,
        subcommands: [List.self, Add.self, Set.self, Show.self, Hide.self, Unhide.self, Share.self],
        defaultSubcommand: List.self)

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

extension LocationCommand {
    struct Hide: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hide", abstract: "Hides a location; nothing is deleted.",
            discussion: """
                Lists and screens leave it out, and nothing counts into it by hand or by ingest. Its entries stay, and \
                can be looked at by naming it; 'counter location unhide' shows it again. Where its count is not 0, it asks \
                first. The last location cannot be hidden, nor the one that counter counts into where none is named. \
                'remove' is another name of this command.
                """,
            aliases: ["remove"])

        @OptionGroup var journal: JournalOptions
        @Flag(help: "Does not ask.") var yes = false
        @Argument(help: "The location, by its name or id.", completion: .locations) var name: String

        func run() throws {
            let settings = try Settings(journal.layer)
            let journal = try SQLiteJournal.openedToChange(settings)
            let known = try journal.existingLocation(named: name, orCreate: false)
            if known.isHidden { return known.tell("is hidden already") }
            try journal.requireOther(than: known, usual: settings.session.usualLocation)
            if !yes {
                try known.askUnlessEmpty(in: journal)
            }
            var location = known
            location.isHidden = true
            try journal.change(known, to: location, at: WallClock().now)
            known.tell("is hidden", remedy: known.remedyToShow)
            try tellDevices(of: known, in: journal)
        }

        private func tellDevices(of location: Location, in journal: SQLiteJournal) throws {
            for device in try journal.devices() where device.locationId == location.id {
                let remedy = "counter device assign \(device.id.text.quotedForShell) LOCATION"
                Output.tell(
                    "the device '\(device.id)' still counts into '\(location.name)'",
                    remedy: "To let it count elsewhere: \(remedy)")
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows a location: its count and all its settings.")

        @OptionGroup var journal: JournalOptions
        @Flag(help: "Prints a JSON object.") var json = false
        @Argument(help: "The location, by its name or id.", completion: .locations) var name: String

        func run() throws {
            let journal = try SQLiteJournal.existing(try Settings(journal.layer))
            let location = try journal.existingLocation(named: name, orCreate: false)
            let row = LocationRow(location, try journal.stateOrZero(of: location.id))
            for line in json ? [LocationRow.table.json(row)] : row.lines { try Output.line(line) }
            if location.isHidden { location.tell("is hidden", remedy: location.remedyToShow) }
        }
    }

    struct Share: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "share", abstract: "Lets other machines count into a location too, by counter sync.",
            discussion: """
                All that was counted there travels to the machines that join it: counter sync --join NAME PEER. With --stop \
                nothing travels any more; what was sent stays there.
                """)

        @OptionGroup var journal: JournalOptions
        @Flag(help: "Shares it no longer.") var stop = false
        @Argument(help: "The location, by its name or id.", completion: .locations) var name: String

        func run() throws {
            let journal = try SQLiteJournal.openedToChange(try Settings(journal.layer))
            let known = try journal.existingLocation(named: name)
            if try !journal.setShared(!stop, known, at: WallClock().now) {
                return known.tell(stop ? "is not shared" : "is shared already")
            }
            known.tell(
                stop ? "is no longer shared; what was sent stays where it is" : "is shared",
                remedy: stop
                    ? nil
                    : "On the other machine: counter sync --join \(known.name.quotedForShell) PEER, where PEER is this one"
            )
        }
    }

    struct Unhide: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unhide", abstract: "Shows a hidden location again, with its count.")

        @OptionGroup var journal: JournalOptions
        @Argument(help: "The location, by its name or id.", completion: .locations) var name: String

        func run() throws {
            let journal = try SQLiteJournal.openedToChange(try Settings(journal.layer))
            let known = try journal.existingLocation(named: name, orCreate: false)
            guard known.isHidden else { return known.tell("is not hidden") }
            var location = known
            location.isHidden = false
            try journal.change(known, to: location, at: WallClock().now)
            known.tell("is shown again, with its count \(try journal.stateOrZero(of: known.id).currentCount)")
        }
    }
}

extension Location {
    /// Asks whether to hide it where the level is not 0.
    func askUnlessEmpty(in journal: SQLiteJournal) throws {
        let level = try journal.stateOrZero(of: id).level
        if level == 0 { return }
        try Confirmation.require(
            "'\(name.sanitised)' has the count \(level). Hide it?",
            without: RemedyCommand(["counter", "location", "hide", id.text, "--yes"]))
    }

    /// Says on standard error what became of the location.
    fileprivate func tell(_ what: String, remedy: String? = nil) {
        Output.tell("'\(name)' \(what)", remedy: remedy)
    }
}
