import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Reports

/// `counter status`: the present occupancy of each location.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Prints how many are inside now, how full that is, and anomalies.",
        discussion: """
            Of all locations, or of the one that --location names. SEEN is how long ago it last reported: \
            an event, or a sign of life of a device that counts into it. IN and OUT are those of the present \
            operational day. A device is stale that is assigned to the location, or has reported today, but not within \
            stale-after (120s); one that was never seen, or is disabled, never is.

            With --exit-code it ends with the sum of what applies to any of them: 1 a device is stale, 2 from 80 % of \
            the capacity on, 4 full, 8 overcrowded (more than 110 %), 16 more exits than entries have been counted; 0 \
            where nothing does. A full hall that is overcrowded gives 12. Errors end with 64 and more.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions
    @Flag(help: "Prints a JSON object for each location.") var json = false
    @Flag(help: "Ends with the status as a sum of bits; see above.") var exitCode = false

    func run() throws {
        let settings = try Settings(journal.layer)
        let journal = try SQLiteJournal.existing(settings)
        let named = try locationOption.location.map { [try journal.existingLocation(named: $0)] }
        let locations = try named ?? journal.locations().filter { !$0.isHidden }
        let now = WallClock().now
        let reports = try locations.map {
            try StatusReport(
                $0, in: journal, staleAfter: settings.staleAfter, silentAfter: settings.silentAfter, now: now)
        }
        try StatusReport.table.print(reports, json: json)
        let bits = reports.reduce(into: StatusBits()) { $0.formUnion($1.bits) }
        if exitCode, !bits.isEmpty { throw ExitCode(bits.rawValue) }
    }
}
