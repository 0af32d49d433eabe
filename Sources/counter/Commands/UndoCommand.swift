import ArgumentParser
import CounterModel
import CounterStore
import Glibc
import Linux
import Reports

/// `counter undo`: voids the last change of this user, or any row.
struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Takes back your own last change that has not been undone, and prints the count.",
        discussion: """
            Your own are the changes of your commands, of your screens, and of the volume keys that your counter reads; \
            never what a door, another device or another user has reported since. Any row is taken back with \
            --position; 'counter history --entries' prints the number of each. The row stays, with who took it back \
            and when.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions
    @Option(help: ArgumentHelp("Takes back this one row, whoever made it.", valueName: "number"))
    var position: Int64?

    func validate() throws {
        if let position, position < 1 { throw ValidationError("--position is 1 or more") }
    }

    func run() throws {
        guard let position else { return try Changes(journal, locationOption).undo() }
        let settings = try Settings(journal.layer, locationOption.layer)
        let journal = try SQLiteJournal.openedToChange(settings, creating: false)
        let location = try self.location(ofRowAt: Position(position), in: journal)
        try Changes(journal, location).takeBack(Position(position))
    }

    /// The location of the row, which has to be the one that --location names, if it does.
    private func location(ofRowAt position: Position, in journal: SQLiteJournal) throws -> Location {
        let rows = try journal.feed(after: Position(position.number - 1), limit: 1)
        guard let row = rows.first?.row, row.id == position else {
            throw ProgramError(
                "there is no row \(position.number)", remedy: "To see the rows: counter history --entries",
                status: EX_NOINPUT)
        }
        let location = try journal.existingLocation(named: row.locationId.text)
        if let named = locationOption.location, try journal.existingLocation(named: named).id != location.id {
            throw ProgramError(
                "row \(position.number) is of '\(location.name)', not of '\(named)'", status: EX_USAGE)
        }
        switch row.content {
        case .entry, .correction, .reset, .endOfDay: return location
        case .setting:
            throw ProgramError(
                "row \(position.number) is a setting, which is changed, not taken back",
                remedy: "To change it: "
                    + RemedyCommand(["counter", "location", "set", location.id.text]).text
                    + " …",
                status: EX_UNAVAILABLE)
        case .timerEvent:
            throw ProgramError(
                "row \(position.number) is of a timer, which is not taken back",
                remedy: "To see the timers: counter timer list", status: EX_UNAVAILABLE)
        case .void:
            throw ProgramError(
                "row \(position.number) takes another row back, and cannot be taken back itself",
                status: EX_UNAVAILABLE)
        }
    }
}
