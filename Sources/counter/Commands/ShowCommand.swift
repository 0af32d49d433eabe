import ArgumentParser
import CounterModel
import CounterStore
import Linux
import Reports
import Transfer

/// `counter show`: the count.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints the count: a bare decimal number, or a JSON object.")

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions

    @Flag(help: "Prints a JSON object with the location, the level behind the count, and the times.")
    var json = false

    func run() throws {
        let settings = try Settings(journal.layer, locationOption.layer)
        let state = try state(settings)
        guard json else { return try Output.line(String(state.currentCount)) }
        try Output.line(state.report.text)
    }

    /// The committed state. Where the default directory has no journal yet the count is 0; a directory that was named
    /// must exist.
    private func state(_ settings: Settings) throws -> CounterState {
        do {
            let journal = try SQLiteJournal.existing(settings)
            return try journal.stateOrZero(of: try journal.existingLocation(named: settings.location).id)
        } catch let error as JournalError where error.reason == .missing {
            guard !settings.isDataDirectoryNamed, settings.location == Location.defaultId.text else {
                throw error
            }
            return CounterState(
                locationId: Location.defaultId, level: 0, lastUpdated: nil, lastEventAt: nil, position: .start
            )
        }
    }
}
