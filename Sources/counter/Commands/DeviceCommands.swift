import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import KeyProtocol
package import Linux
import Reports
import VolumeInput

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Prints the devices with volume keys, and how each would be intercepted.",
        discussion: """
            exclusive: the system's volume stands still. shared: it moves too. no access: the keys cannot be read. \
            counted by counter listen: another program of yours counts it now. away: it was connected before and is not \
            now. never seen: it was assigned or named by its id, and has not been connected yet.

            LAST SEEN is its last report, or when it was last known to be connected.
            """)

    @OptionGroup var place: LocationOptions
    @OptionGroup var devices: InputDeviceOptions
    @Flag(help: "Prints a JSON object for each.") var json = false

    func run() throws {
        let settings = try Settings(place.layer, devices.layer)
        try settings.requireNoMistake()
        let known = try Self.known(settings)
        let survey = try DeviceSurvey(settings)
        let rows = DeviceRow.rows(survey.inputDevices, known, location: Identifier(settings.session.location))
        if rows.isEmpty, !json {
            let problem = survey.environment.problem
            return Output.tell(problem?.reason ?? "no device with volume keys", remedy: problem?.remedy)
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

struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Assigns, names, disables, enables and forgets a device.",
        discussion:
            "The id of a device is what 'counter devices' prints; it need not have been seen yet. A running counter takes the change over.",
        subcommands: [Assign.self, Rename.self, Disable.self, Enable.self, Forget.self])

    struct Assign: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "assign",
            abstract: "Makes a device count into a location, whatever counter is run with.")

        @OptionGroup var device: DeviceArguments
        @Argument(
            help: "The location; without one it counts where counter is run for.", completion: .locations)
        var location: String?

        func run() throws {
            let journal = try device.open()
            let location = try location.map { try journal.existingLocation(named: $0) }
            try device.change(.location, to: location?.id, in: journal)
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Gives a device a name.")

        @OptionGroup var device: DeviceArguments
        @Argument(help: "Its new name.") var name: String

        func validate() throws { if !NameRule.admits(name) { throw ValidationError(NameRule.text) } }
        func run() throws { try device.change(.name(name), in: device.open(orByHand: true)) }
    }

    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Leaves a device alone: it does not count and is not intercepted.")

        @OptionGroup var device: DeviceArguments

        func run() throws { try device.change(.isActive(false), in: device.open()) }
    }

    struct Enable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Lets a disabled device count again.")

        @OptionGroup var device: DeviceArguments

        func run() throws { try device.change(.isActive(true), in: device.open()) }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Removes a device from the list; what it counted stays.",
            discussion:
                "Its name and its location are forgotten too. It is listed again as soon as it is seen.")

        @OptionGroup var device: DeviceArguments

        func run() throws {
            let journal = try device.open()
            if try journal.set(.isForgotten, of: device.id, at: WallClock().now) { return }
            throw try device.unknown(in: journal)
        }
    }
}

/// The device that a command changes.
struct DeviceArguments: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @Argument(help: "The device's id.", completion: .devices) var id: Identifier

    /// Opens the journal to change it. Counts by hand can be neither assigned nor disabled.
    fileprivate func open(orByHand: Bool = false) throws -> SQLiteJournal {
        let journal = try SQLiteJournal.openedToChange(try Settings(journal.layer))
        if orByHand || !Devices.byHand.contains(id) { return journal }
        throw ProgramError(
            "'\(id)' is the id of counts by hand, not a device",
            remedy: "To list the devices: counter devices", status: EX_USAGE)
    }

    /// Changes the device, which need not have been seen yet.
    fileprivate func change(
        _ setting: DeviceSetting, to location: Identifier? = nil, in journal: SQLiteJournal
    ) throws {
        guard DeviceIdRule.admits(id.text) else {
            throw ProgramError("the id \(DeviceIdRule.text)", status: EX_USAGE)
        }
        let isKnown = try journal.devices().contains { $0.id == id }
        let others = try others(in: journal)
        let similar = isKnown ? "" : others.suggestion(for: id.text)
        guard try journal.set(setting, of: id, to: location, isNew: true, at: WallClock().now) else {
            throw try unknown(in: journal)
        }
        if isKnown { return }
        let forget = RemedyCommand(["counter", "device", "forget", id.text]).text
        Output.tell(
            "'\(id.text.distinct(from: others))' has not been seen yet",
            remedy: "\(similar)If that is a mistake: \(forget)")
    }

    private func others(in journal: SQLiteJournal) throws -> [String] {
        try journal.devices().map(\.id).filter { !Devices.byHand.contains($0) }.map(\.text)
    }

    fileprivate func unknown(in journal: SQLiteJournal) throws -> ProgramError {
        let known = try others(in: journal)
        return ProgramError(
            "no device with the id '\(id.text.distinct(from: known))' is known",
            remedy: known.isEmpty
                ? "Start counter with it plugged in."
                : "\(known.suggestion(for: id.text))Known: \(known.map { $0.distinct(from: [id.text]) }.joined(separator: ", "))",
            status: EX_NOINPUT)
    }
}

extension Identifier: ExpressibleByArgument {
    package init(argument: String) { self.init(argument) }
}
