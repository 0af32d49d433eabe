import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux

extension TimerPhrase {
    fileprivate init(argument text: String) throws {
        do throws(FieldProblem) { self = try TimerPhrase(text) } catch { throw ValidationError(error.text) }
    }

    /// Reads a length with its rounds, and nothing else.
    static func length(_ text: String) throws -> TimerPhrase {
        let phrase = try TimerPhrase(argument: text)
        guard phrase.label.isEmpty else {
            throw ValidationError("'\(text)' has a name; --label gives it one")
        }
        return phrase
    }
}

/// What a timer or a preset is like; what is not named stays as it is.
struct TimerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A further location, besides --location. May be repeated.", valueName: "name"),
        completion: .locations)
    var also: [String] = []
    @Flag(help: "Counts in all locations.") var all = false
    @Option(
        help: ArgumentHelp(
            "How its end is announced: everything, the screens only, or a line only.",
            valueName: "sound|vibration|silent"),
        completion: .list(AlarmMode.allCases.map(\.rawValue)), transform: Self.mode)
    var mode: AlarmMode?
    @Option(help: ArgumentHelp("How loud its tone is, in percent.", valueName: "percent")) var volume: Int?
    @Flag var end: EndFlag?
    @Flag(inversion: .prefixedNo, help: "The desktop's notification is a critical one.") var urgent: Bool?
    @Option(help: ArgumentHelp("How many rounds it has, 1 to 99. Default: 1", valueName: "n"))
    var rounds: Int?
    @Option(
        help: ArgumentHelp("The pause between two rounds; 0 for none. Default: none", valueName: "time"),
        transform: Self.pause)
    var pause: Int?
    @Flag(inversion: .prefixedNo, help: "It begins after 3 s; the first count with --start only starts it.")
    var leadIn: Bool?
    @Flag(inversion: .prefixedNo, help: "Says when one minute of a round is left.") var lastMinute: Bool?

    /// What becomes of it at its end.
    enum EndFlag: EnumerableFlag {
        case keep, discard

        static func help(for value: EndFlag) -> ArgumentHelp? {
            switch value {
            case .keep: "It stays in the list after its end, ready to start again."
            case .discard: "It leaves the list ten minutes after its end was acknowledged."
            }
        }
    }

    func validate() throws {
        if let volume, !(0...TimerSetup.fullVolume ~= volume) {
            throw ValidationError("--volume is 0 to 100, in percent")
        }
        if let rounds, !(1...TimerSetup.mostRounds ~= rounds) {
            throw ValidationError("--rounds is 1 to \(TimerSetup.mostRounds)")
        }
        if all, !also.isEmpty { throw ValidationError("--all and --also exclude each other") }
    }

    /// Checks --all beside --location, which is another group's.
    func validate(_ place: LocationOptions) throws {
        if all, place.location != nil { throw ValidationError("--all and --location exclude each other") }
    }

    /// Changes a setup as the options and --location say. With --also alone the locations that it has stay.
    func apply(to setup: inout TimerSetup, location: String?, in journal: SQLiteJournal) throws {
        if all { setup.locations = .all }
        if location != nil || !also.isEmpty {
            let first = try location.map { [try journal.existingLocation(named: $0).id] }
            let ids =
                try (first ?? setup.locations.ids)
                + also.map { try journal.existingLocation(named: $0).id }
            setup.locations = .some(ids.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        }
        if let mode { setup.mode = mode }
        if let volume { setup.volume = volume }
        if let end { setup.endAction = end == .keep ? .preserve : .discard }
        if let urgent { setup.isUrgent = urgent }
        if let rounds { setup.rounds = rounds }
        if let pause { setup.pauseSeconds = pause }
        if let pause, pause > 0, setup.rounds == 1 {
            throw ProgramError(
                "--pause: a pause is between rounds, and this timer has one", remedy: "Name --rounds too.",
                status: EX_USAGE)
        }
        if let leadIn { setup.leadInSeconds = leadIn ? TimerSetup.usualLeadIn : 0 }
        if let lastMinute { setup.announcesLastMinute = lastMinute }
    }

    private static func mode(_ text: String) throws -> AlarmMode {
        guard let mode = AlarmMode(rawValue: text) else {
            throw ValidationError("'\(text)' is no mode: sound, vibration or silent")
        }
        return mode
    }

    /// Reads the pause between two rounds, which may be none.
    private static func pause(_ text: String) throws -> Int {
        do throws(FieldProblem) {
            let rule = "a pause lasts 0s to 99:59:59, in whole seconds"
            return try TimerDuration.read(text, from: 0, rule: rule)
        } catch {
            throw ValidationError(error.text)
        }
    }
}

/// A timer or a preset that is to be made.
struct NewTimerArguments: ParsableArguments {
    @OptionGroup var place: LocationOptions
    @OptionGroup var options: TimerOptions
    @Flag(help: "Prints it as a JSON object.") var json = false
    @Argument(
        help: ArgumentHelp(
            "How long, and what it is called: 5m Robins; 1h30m, 90s, 00:05:00, or 5 for minutes; '3 x 5m, 1m Sets' for three rounds with pauses of 1 min.",
            valueName: "duration-and-label"))
    var words: [String]

    func validate() throws {
        _ = try phrase()
        try options.validate(place)
    }

    private func phrase() throws -> TimerPhrase { try TimerPhrase(argument: words.joined(separator: " ")) }

    /// Opens the journal for it. `endAction` holds where no option names another; without it, that of the settings.
    func setup(endAction: EndAction? = nil) throws -> (TimerAccess, TimerSetup) {
        let settings = try Settings(place.layer)
        try settings.requireNoMistake()
        let access = try TimerAccess(SQLiteJournal.openedToChange(settings), settings.preferences.timers)
        if !options.all { _ = try access.journal.existingLocation(of: settings) }
        let phrase = try phrase()
        var setup = settings.preferences.timers.usual
        setup.label = phrase.label
        phrase.apply(to: &setup)
        if let endAction { setup.endAction = endAction }
        try options.apply(
            to: &setup, location: options.all ? nil : settings.session.location, in: access.journal)
        return (access, setup)
    }
}
