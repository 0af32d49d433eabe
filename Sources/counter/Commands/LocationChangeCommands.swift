import ArgumentParser
import CounterModel
import CounterStore
import CounterTUI
import Counting
import Glibc
import Linux

extension LocationCommand {
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a location at 0, or shows a hidden one again.",
            discussion:
                "The id never changes; the name is what is shown, and is the id where --name gives no other.")

        @OptionGroup var journal: JournalOptions
        @OptionGroup var options: LocationSettingOptions
        @Flag(help: "Counting by hand is allowed when it is full.") var admitsOverFull = false
        @Option(
            help: ArgumentHelp(
                "From when its capacity and other settings hold, for a location whose past is imported. Default: now",
                valueName: "date"))
        var from: String?
        @Argument(help: "Its id.", transform: LocationSettingOptions.name) var id: String

        func run() throws {
            let journal = try SQLiteJournal.openedToChange(try Settings(journal.layer))
            let (known, untouched) = (try journal.location(named: id), try journal.untouchedDefault())
            if let known, !known.isHidden { throw ProgramError(taken: id, by: known) }
            var location =
                known
                ?? Location(
                    id: Identifier(id), name: options.name?.text ?? id, timezone: ZoneDatabase().localZone)
            location.isHidden = false
            if admitsOverFull { location.admitsOverFull = true }
            options.settings.forEach { location.apply($0) }
            let now = WallClock().now
            guard let known else {
                try journal.add(new: location, from: moment(in: location, now), at: now)
                return Output.note(
                    "'\(location.name)' is added\(untouched == nil ? "" : ", beside the empty 'default'")",
                    remedy: untouched.map { _ in
                        "To make that one a location of yours: counter location set default --name NAME"
                    })
            }
            if from != nil {
                throw ProgramError(
                    "--from is for a new location; '\(known.name)' is brought back", status: EX_USAGE)
            }
            try journal.change(known, to: location, at: WallClock().now)
            let count = try journal.stateOrZero(of: known.id).currentCount
            Output.tell("'\(known.name)' is back, with its count \(count)")
        }

        /// The moment that --from names in the location's zone.
        private func moment(in location: Location, _ now: Timestamp) throws -> Timestamp? {
            guard let from else { return nil }
            let bound = try HistoryBound(from)
            let about = bound.moment(in: location.calendar(about: now), now: now)
            guard about <= now else { throw ProgramError("--from \(from) is not over yet", status: EX_USAGE) }
            return bound.moment(in: location.calendar(for: about...now), now: now)
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Changes a location; what was counted so far stays as it is.",
            discussion: "A running counter takes the change over. The id of a location never changes.")

        @OptionGroup var journal: JournalOptions
        @OptionGroup var options: LocationSettingOptions
        @Option(
            help: ArgumentHelp(
                "Whether counting by hand is allowed when it is full.", valueName: "true|false"))
        var admitsOverFull: Bool?
        @Option(help: ArgumentHelp("Whether lists leave it out.", valueName: "true|false")) var hidden: Bool?
        @Argument(help: "The location, by its name or id.", completion: .locations) var name: String

        func validate() throws {
            let isSomething = !options.settings.isEmpty || admitsOverFull != nil || hidden != nil
            if !isSomething { throw ValidationError("an option with a change is needed") }
        }

        func run() throws {
            let settings = try Settings(journal.layer)
            let journal = try SQLiteJournal.openedToChange(settings)
            let known = try journal.existingLocation(named: name)
            var location = known
            if let admitsOverFull { location.admitsOverFull = admitsOverFull }
            if let hidden { location.isHidden = hidden }
            options.settings.forEach { location.apply($0) }
            if location.isHidden, !known.isHidden {
                try journal.requireOther(than: known, usual: settings.session.usualLocation)
                try known.askUnlessEmpty(in: journal)
            }
            try journal.change(known, to: location, at: WallClock().now)
            let changes = known.changes(to: location).map(\.words)
            Output.note(
                "'\(location.name)': \(changes.isEmpty ? "as before" : changes.joined(separator: ", "))")
        }
    }
}

/// The properties of a location, when it is added and when it is changed; `LocationProperty` reads their values.
struct LocationSettingOptions: ParsableArguments {
    enum DayEndMode: String, CaseIterable, ExpressibleByArgument {
        case automatic
        case byHand = "by-hand"

        /// Earlier versions called it manual.
        init?(argument: String) { self.init(rawValue: argument == "manual" ? "by-hand" : argument) }
    }

    @Option(
        name: .customLong("name"), help: ArgumentHelp("The name shown.", valueName: "name"),
        transform: { try Self.read(.name, $0) })
    var name: LocationSetting?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many it holds, 1 or more; none for a tally.", valueName: "number|none"),
        transform: { try Self.read(.capacity, $0) })
    var capacity: LocationSetting?

    @Option(
        help: ArgumentHelp(
            "The zone of its days, such as Europe/Zurich. New ones have this machine's.", valueName: "zone"),
        transform: { LocationSetting.timezone($0) })
    var timezone: LocationSetting?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The local hour at which its days start, 0 to 23.", valueName: "hour"),
        transform: { try Self.read(.dayStart, $0) })
    var dayStart: LocationSetting?

    @Option(
        name: .customLong("open"),
        help: ArgumentHelp(
            "When it is open, such as 'Mon-Fri 09:00-18:00, Sat 10:00-16:00': only then is silence an anomaly, and a device stale.",
            valueName: "hours|none"),
        transform: { try Self.read(.openingHours, $0) })
    var open: LocationSetting?

    @Option(
        help: ArgumentHelp(
            "Whether a day that nobody ended ends by itself when the next begins, or by `counter day end` only.",
            valueName: "automatic|by-hand"))
    var dayEnd: DayEndMode?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The group whose locations are reported together; none for none.", valueName: "name|none"),
        completion: .groups, transform: { try Self.read(.group, $0) })
    var group: LocationSetting?

    @Option(
        help: ArgumentHelp(
            "A letter that counts up here on every screen, and as a capital down; none for none.",
            valueName: "letter|none"),
        transform: { try Self.read(.key, $0) })
    var key: LocationSetting?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The count to reach, 1 or more, shown with what is left; none for none.",
            valueName: "number|none"),
        transform: { try Self.read(.target, $0) })
    var target: LocationSetting?

    /// Those that were given.
    var settings: [LocationSetting] {
        let dayEnd = dayEnd.map { LocationSetting.endsDaysAutomatically($0 == .automatic) }
        return [name, capacity, timezone, dayStart, open, dayEnd, group, key, target].compactMap(\.self)
    }

    /// The id of a new location, which is its name too where no other is given.
    static func name(_ text: String) throws -> String { try read(.name, text).text ?? text }

    private static func read(_ property: LocationProperty, _ text: String) throws -> LocationSetting {
        do throws(FieldProblem) {
            let setting = try LocationSetting(property, typed: text, as: .option)
            if property == .key, let key = setting.text.flatMap(LocationKey.init),
                let refusal = Screens.refusal(of: key)
            {
                throw FieldProblem(refusal)
            }
            return setting
        } catch { throw ValidationError(error.text) }
    }
}
