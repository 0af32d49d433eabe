import ArgumentParser
import CounterModel
import CounterStore
import Glibc
import System

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

/// `counter undo`: voids the last change.
struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Takes back the last change that has not been undone, and prints the count.")

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions

    func run() throws { try Changes(journal, place).undo() }
}

/// The reason for a change by hand.
struct ReasonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Why: kept with the entry and shown in the history.", valueName: "text"),
        transform: ReasonOptions.text)
    var reason: String?

    private static func text(_ text: String) throws -> String {
        guard ReasonRule.admits(text) else { throw ValidationError(ReasonRule.text) }
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
        location = try journal.existingLocation(named: settings.location)
        service = CounterService(repository: journal)
    }

    /// Several entries are one change: they are stored together or not at all, and one undo voids all of them.
    func count(_ type: EntryType, times: Int, reason: String?) throws {
        service.correct(
            by: times, type, device: Devices.commandLine, location: location.id, user: LoginName.current,
            timestamp: WallClock().now, reason: reason)
        try conclude()
    }

    func reset(to value: Int) throws {
        service.reset(to: value, location: location.id, user: LoginName.current, timestamp: WallClock().now)
        try conclude()
    }

    func undo() throws {
        service.undo(location: location.id, user: LoginName.current, timestamp: WallClock().now)
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
            throw Failure("the count can go no further; nothing was counted", status: EX_DATAERR)
        case .refused(.resetOfOccupancy):
            throw Failure(
                "'\(location.name)' has a capacity, so it is never reset: what is inside goes out one by one",
                remedy: "At the end of the day: " + command("day", "end", "--location", location.id),
                status: EX_UNAVAILABLE)
        case .refused(.empty(let inside)):
            throw Failure(
                inside == 0
                    ? "nobody is inside '\(location.name)'; nothing was counted"
                    : "only \(inside) are inside '\(location.name)'; nothing was counted",
                status: EX_UNAVAILABLE)
        case .refused(.full(let room)):
            throw Failure(
                room == 0
                    ? "'\(location.name)' is full; nothing was counted"
                    : "'\(location.name)' has room for \(room) only; nothing was counted",
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
