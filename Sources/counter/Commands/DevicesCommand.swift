import ArgumentParser
import CounterModel
import CounterStore
import KeyProtocol
import Reports
import System
import Transfer
import VolumeInput

/// `counter devices`: the input devices that are connected, and those that the journal knows from before.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Prints the devices with volume keys, and how each would be intercepted.",
        discussion: """
            held: the system's volume stands still. shared: it moves too. no access: the keys cannot be read.
            away: the source has counted before and is not there now.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions
    @OptionGroup var listening: ListeningOptions
    @Flag(help: "Prints a JSON object for each.") var json = false

    func run() throws {
        let settings = try Settings(journal.layer, place.layer, listening.layer)
        let known = try Self.known(settings)
        let survey = try SourceSurvey(settings)
        let rows = DeviceRow.rows(survey.sources, known, location: settings.location)
        if json { return try rows.forEach { try Output.line($0.json) } }
        if rows.isEmpty {
            let problem = survey.environment.problem?.reason ?? "no device with volume keys"
            return Output.complain(Failure(problem, remedy: survey.environment.problem?.remedy, status: 0))
        }
        try TextTable.lines(DeviceRow.header, rows.map(\.cells)).forEach { try Output.line($0) }
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

/// An input device as `counter devices` prints it.
struct DeviceRow {
    static let header = ["NAME", "STATE", "LOCATION", "ID", "NODES", "KEYS"]

    let id: String
    let name: String
    let state: String
    let location: String
    let bus: String?
    let nodes: [String]
    let keys: [String]
    let isActive: Bool
    let reason: String?
    let remedy: String?

    /// The connected devices first, then the others that the journal knows.
    static func rows(_ sources: [Source], _ known: [Device], location: String) -> [DeviceRow] {
        let devices = Devices(known)
        let present = Set(sources.map(\.stableID))
        let away = known.filter { !present.contains($0.id) && !Devices.byHand.contains($0.id) }
        return sources.map { DeviceRow($0, devices, location) } + away.map { DeviceRow($0, location) }
    }

    private init(_ source: Source, _ devices: Devices, _ ownLocation: String) {
        let plan = source.planned
        id = source.stableID
        name = devices.name(of: source.stableID, own: source.name)
        isActive = !devices.inactive.contains(source.stableID)
        state = isActive ? plan.state.rawValue : "disabled"
        location = devices.location(of: source.stableID, else: ownLocation)
        bus = source.nodes.first?.bus
        nodes = source.nodes.map(\.path)
        keys = CountedKey.allCases.filter { key in
            source.nodes.contains { $0.keys.contains(CountedKeys(key)) }
        }
        .map { "\($0)" }
        reason = plan.reason
        remedy = plan.remedy
    }

    private init(_ device: Device, _ ownLocation: String) {
        id = device.id
        name = device.name
        isActive = device.isActive
        state = device.isActive ? "away" : "disabled"
        location = device.locationId ?? ownLocation
        bus = nil
        nodes = []
        keys = []
        reason = nil
        remedy = nil
    }

    var cells: [String] {
        [name, state, location, id, nodes.joined(separator: " "), keys.joined(separator: " ")]
    }

    /// Why the device is not intercepted, as a sentence; `nil` where there is nothing to say.
    var explanation: String? {
        reason.map { "\(name.sanitised): \($0)" + (remedy.map { "; \($0)" } ?? "") }
    }

    var json: String {
        var object = JSONLine()
        object.add("id", id)
        object.add("name", name)
        object.add("state", state)
        object.add("locationId", location)
        object.add("isActive", isActive)
        object.add("bus", bus)
        object.add("nodes", nodes)
        object.add("keys", keys)
        object.add("reason", reason)
        object.add("remedy", remedy)
        return object.text
    }
}
