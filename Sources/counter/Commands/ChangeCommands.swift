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
    @OptionGroup var cause: ReasonOptions
    @Argument(help: "How often.") var times = 1

    func validate() throws { try Changes.validate(times: times) }
    func run() throws { try Changes(journal, place).count(.in, times: times, reason: cause.reason) }
}

/// `counter sub`: counts down by hand.
struct SubtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sub", abstract: "Counts down by hand and prints the count.")

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions
    @OptionGroup var cause: ReasonOptions
    @Argument(help: "How often.") var times = 1

    func validate() throws { try Changes.validate(times: times) }
    func run() throws { try Changes(journal, place).count(.out, times: times, reason: cause.reason) }
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

/// Why somebody counts by hand.
struct ReasonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Why: kept with the entry and shown in the history.", valueName: "text"),
        transform: ReasonOptions.text)
    var reason: String?

    private static func text(_ text: String) throws -> String {
        guard NewEntry.isReason(text) else {
            throw ValidationError("a reason has 1 to 200 characters, none of them a control character")
        }
        return text
    }
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
        journal = try SQLiteJournal.openedToChange(settings)
        location = try Location.named(settings.location, in: journal)
        service = CounterService(repository: journal)
    }

    /// Several are one change: an undo takes all of them back.
    func count(_ type: EntryType, times: Int, reason: String?) throws {
        let now = WallClock().now
        for number in 0..<times {
            service.count(
                type, device: Devices.commandLine, location: location.id, user: Users.current, timestamp: now,
                source: .manual, continuesHold: number > 0, reason: reason)
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
        case .refused(.resetOfOccupancy):
            throw Failure(
                "'\(location.name)' has a capacity, so it is never reset: what is inside goes out one by one",
                remedy: "At the end of the day: " + command("day", "end", "--location", location.id),
                status: EX_UNAVAILABLE)
        case .refused(.full):
            throw Failure(
                "'\(location.name)' is full",
                remedy: "To let entries by hand go over it: "
                    + command("location", "set", location.id, "--admits-over-full", "true"),
                status: EX_UNAVAILABLE)
        case .refused(.unknownLocation), .refused(.lateReset), .refused(.invalidSetting),
            .refused(.otherHistory):
            throw Failure("the location '\(location.id)' is gone", status: EX_UNAVAILABLE)
        case .nothingToUndo: throw Failure("there is nothing to undo", status: EX_UNAVAILABLE)
        case .accepted, .acceptedInNewEpoch, .duplicate, .undone, .nothingToVoid: break
        }
    }

    private func command(_ arguments: String...) -> String { RemedyCommand(["counter"] + arguments).text }
}
