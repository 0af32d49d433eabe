import ArgumentParser
import CounterModel
import CounterStore
import KeyProtocol
import Linux
import Reports
import VolumeInput

/// `counter devices`: the input devices that are connected, and those that the journal knows from before.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Prints the devices with volume keys, and how each would be intercepted.",
        discussion: """
            exclusive: the system's volume stands still. shared: it moves too. no access: the keys cannot be read.
            counted by counter listen: another program of yours counts it now. away: it was connected before and is not now.
            never seen: it was assigned or named by its id, and has not been connected yet. LAST SEEN is its last report, or when
            it was last known to be connected.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions
    @OptionGroup var listening: ListeningOptions
    @Flag(help: "Prints a JSON object for each.") var json = false

    func run() throws {
        let settings = try Settings(journal.layer, locationOption.layer, listening.layer)
        let known = try Self.known(settings)
        let survey = try DeviceSurvey(settings)
        let rows = DeviceRow.rows(survey.inputDevices, known, location: Identifier(settings.location))
        if rows.isEmpty, !json {
            let problem = survey.environment.problem?.reason ?? "no device with volume keys"
            return Output.complain(
                ProgramError(problem, remedy: survey.environment.problem?.remedy, status: 0))
        }
        try DeviceRow.table.print(rows, json: json)
        if json { return }
        for row in rows { if let explanation = row.explanation { try Output.line(explanation) } }
    }

    /// The journal's devices; empty where there is no journal yet.
    private static func known(_ settings: Settings) throws(JournalError) -> [Device] {
        do throws(JournalError) {
            return try SQLiteJournal.existing(settings).devices()
        } catch {
            guard error.reason == .missing else { throw error }
            return []
        }
    }
}
