import ArgumentParser
import CounterModel
import CounterStore
import Glibc

/// `counter add`: counts up by hand.
struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Counts up by hand and prints the count.")

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions
    @Argument(help: "How often.") var times = 1

    func validate() throws { try Changes.validate(times: times) }
    func run() throws { try Changes(journal, place).count(.in, times: times) }
}

/// `counter sub`: counts down by hand.
struct SubtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sub", abstract: "Counts down by hand and prints the count.")

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions
    @Argument(help: "How often.") var times = 1

    func validate() throws { try Changes.validate(times: times) }
    func run() throws { try Changes(journal, place).count(.out, times: times) }
}

/// `counter reset`: sets the count.
struct ResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Sets the count to 0, or to any value, and prints it.",
        discussion: "A negative value is written with an equals sign: --to=-5")

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions

    @Option(
        name: .customLong("to"), parsing: .unconditional,
        help: ArgumentHelp("The new count.", valueName: "number"))
    var value = 0

    func run() throws { try Changes(journal, place).reset(to: value) }
}

/// `counter undo`: takes back the last change.
struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Takes back the last change that has not been undone, and prints the count.")

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions

    func run() throws { try Changes(journal, place).undo() }
}

/// One change by hand on the command line.
struct Changes {
    private static let most = 10_000

    private let journal: SQLiteJournal
    private let location: Location
    private let service: CounterService<SQLiteJournal>

    static func validate(times: Int) throws {
        guard (1...most).contains(times) else {
            throw ValidationError("a number from 1 to \(most) is wanted")
        }
    }

    init(_ journalOptions: JournalOptions, _ place: LocationOptions) throws {
        let settings = try Settings(journalOptions.layer, place.layer)
        journal = try SQLiteJournal(directory: settings.dataDirectory, timezone: Paths.timezone)
        location = try Location.named(settings.location, in: journal)
        service = CounterService(repository: journal)
    }

    /// Several are one change: an undo takes all of them back.
    func count(_ type: EntryType, times: Int) throws {
        let now = WallClock().now
        for number in 0..<times {
            service.count(
                type, device: Devices.commandLine, location: location.id, user: Users.current, timestamp: now,
                source: .manual, continuesHold: number > 0)
        }
        try conclude()
    }

    func reset(to value: Int) throws {
        service.reset(to: value, location: location.id, user: Users.current, timestamp: WallClock().now)
        try conclude()
    }

    func undo() throws {
        service.undo(location: location.id, user: Users.current, timestamp: WallClock().now)
        try conclude()
    }

    private func conclude() throws {
        let receipts = try service.commit(receivedAt: WallClock().now)
        for receipt in receipts { try check(receipt.outcome) }
        try Output.line(String(try journal.existingState(of: location.id).currentCount))
    }

    private func check(_ outcome: Outcome) throws(Failure) {
        switch outcome {
        case .refused(.overflow):
            throw Failure("the count can go no further; what was beyond is not counted", status: EX_DATAERR)
        case .refused(.unknownLocation), .refused(.lateReset):
            throw Failure("the location '\(location.id)' is gone", status: EX_UNAVAILABLE)
        case .nothingToUndo: throw Failure("there is nothing to undo", status: EX_UNAVAILABLE)
        case .accepted, .acceptedInNewEpoch, .duplicate, .undone, .nothingToVoid: break
        }
    }
}
