import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Reports

/// `counter add`: counts up by hand.
struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Counts up by hand and prints the count.")

    @OptionGroup var arguments: CountArguments

    func run() throws { try arguments.count(.in) }
}

/// `counter sub`: counts down by hand.
struct SubtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sub", abstract: "Counts down by hand and prints the count.")

    @OptionGroup var arguments: CountArguments

    func run() throws { try arguments.count(.out) }
}

/// What `add` and `sub` are told.
struct CountArguments: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions
    @OptionGroup var cause: ReasonOptions
    @OptionGroup var step: StepOptions
    @Argument(help: "How often.") var times = 1

    func validate() throws {
        guard (1...Changes.most).contains(times) else { throw ValidationError("N must be 1 to 10,000") }
    }

    func count(_ type: EntryType) throws {
        try Changes(journal, locationOption, step).count(type, times: times, reason: cause.reason)
    }
}

/// `counter reset`: sets the count.
struct ResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Sets the count to 0, or to any value, and prints it.",
        discussion: "A negative value is written with an equals sign: --to=-5")

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions

    @Option(
        name: .customLong("to"), parsing: .unconditional,
        help: ArgumentHelp("The new count.", valueName: "number"))
    var value = 0

    func run() throws { try Changes(journal, locationOption).reset(to: value) }
}

/// The reason for a change by hand.
struct ReasonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Why: kept with the entry and shown in the history.", valueName: "text"),
        transform: ReasonOptions.text)
    var reason: String?

    static func text(_ text: String) throws -> String {
        guard ReasonRule.admitsTyped(text) else { throw ValidationError(ReasonRule.typedText) }
        return text
    }
}

/// One change by hand on the command line.
struct Changes {
    fileprivate static let most = 10_000

    private let journal: SQLiteJournal
    private let location: Location
    private let writer: JournalWriter
    private let step: Int

    init(
        _ journalOptions: JournalOptions, _ locationOption: LocationOptions, _ step: StepOptions? = nil
    ) throws {
        let settings = try Settings(journalOptions.layer, locationOption.layer, step?.layer ?? [:])
        let journal = try SQLiteJournal.openedToChange(settings)
        self.init(journal, try journal.countedLocation(named: settings.location), step: settings.step)
    }

    init(_ journal: SQLiteJournal, _ location: Location, step: Int = 1) {
        self.journal = journal
        self.location = location
        self.step = step
        writer = JournalWriter(journal)
    }

    /// Several entries are one change: they are stored together or not at all, and one undo voids all of them.
    func count(_ type: EntryType, times: Int, reason: String?) throws {
        let count = times * step
        guard count <= Self.most else {
            throw ProgramError("\(times) times \(step) is more than 10,000", status: EX_USAGE)
        }
        writer.count(
            Entry(type, deviceId: Devices.commandLine, source: .manual, reason: reason), times: count,
            location: location.id, user: LoginName.current, timestamp: WallClock().now)
        let state = try conclude().state
        tellDrift(after: count * type.delta, state)
        try printCount(state)
    }

    func reset(to value: Int) throws {
        writer.reset(to: value, location: location.id, user: LoginName.current, timestamp: WallClock().now)
        try printCount(conclude().state)
    }

    /// Corrects, and prints the levels before and after.
    func correct(_ amount: Correction.Amount, reason: String) throws {
        writer.correct(
            amount, reason: reason, device: Devices.commandLine, location: location.id,
            user: LoginName.current,
            timestamp: WallClock().now)
        let (receipt, state) = try conclude()
        guard case .corrected(_, let before, let after) = receipt.outcome else {
            Output.complain(ProgramError("the count is \(state.currentCount) already", status: EX_OK))
            return try printCount(state)
        }
        try Output.line("\(before) \(TextTable.isUTF8 ? "→" : "->") \(after)")
    }

    /// Takes back the last change of this user's commands and keys.
    func undo() throws {
        let user = LoginName.current
        let keys = Devices(try journal.devices()).keysHere(of: user)
        writer.undo(
            UndoScope(userId: user, deviceIds: keys), location: location.id, timestamp: WallClock().now)
        try printCount(conclude().state)
    }

    /// Takes one row back, whoever made it.
    func takeBack(_ position: Position) throws {
        writer.takeBack(
            position, location: location.id, user: LoginName.current, timestamp: WallClock().now)
        try printCount(conclude().state)
    }

    private func conclude() throws -> (receipt: Receipt, state: CounterState) {
        var targets = TargetWatch(try journal.stateOrZero(of: location.id))
        let receipt = try writer.commit(at: WallClock().now)[0]
        try check(receipt)
        let state = try journal.stateOrZero(of: location.id)
        if targets.reaches(state) {
            Output.complain(ProgramError(TargetReached(location: location, state: state).text, status: EX_OK))
        }
        return (receipt, state)
    }

    private func printCount(_ state: CounterState) throws { try Output.line(String(state.currentCount)) }

    /// Says what a count did where more had left than entered: the count alone would not show it.
    private func tellDrift(after difference: Int, _ state: CounterState) {
        let before = state.level - difference
        guard state.maxCapacity != nil, before < 0 else { return }
        let told =
            state.hasNegativeDrift
            ? "\(state.moreLeftThanEntered) more left than entered (\(before.magnitude) before), so the count stays 0"
            : "\(before.magnitude) more had left than entered, so the count is \(state.currentCount)"
        Output.complain(ProgramError("counted \(difference) in: \(told)", status: EX_OK))
    }

    private func check(_ receipt: Receipt) throws(ProgramError) {
        switch receipt.outcome {
        case .accepted, .acceptedInNewEpoch, .corrected, .duplicate, .undone, .refused(.sameLevel): break
        case .nothingToUndo:
            throw ProgramError(
                "there is nothing to undo",
                remedy: "undo takes back your own changes; any other by its number: "
                    + "counter history --entries, then counter undo --position N",
                status: EX_UNAVAILABLE)
        case .nothingToVoid: throw ProgramError("the row is taken back already", status: EX_UNAVAILABLE)
        case .refused(let refusal):
            throw ProgramError(
                "\(refusal.reason(at: location.name)); \(receipt.consequence)", remedy: remedy(for: refusal),
                status: [.overflow, .tooLarge].contains(refusal) ? EX_DATAERR : EX_UNAVAILABLE)
        }
    }

    private func remedy(for refusal: Refusal) -> String? {
        switch refusal {
        case .resetOfOccupancy:
            "At the end of the day: " + command("day", "end", "--location", location.id.text)
                + "; to set it right: "
                + correction
        case .full:
            "To let changes by hand exceed it: "
                + command("location", "set", location.id.text, "--admits-over-full", "true")
        case .empty:
            "If you count more: " + correction
        case .overflow, .tooLarge, .sameLevel, .unknownLocation, .lateReset, .invalidSetting, .otherHistory:
            nil
        }
    }

    private var correction: String {
        command("correct", "=N", "--reason", "TEXT", "--location", location.id.text)
    }

    private func command(_ arguments: String...) -> String { RemedyCommand(["counter"] + arguments).text }
}
