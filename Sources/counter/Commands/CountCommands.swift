import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Reports
import Transfer

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints the count: a bare decimal number, or a JSON object.")

    @OptionGroup var place: LocationOptions

    @Flag(help: "Prints a JSON object with the location, the level behind the count, and the times.")
    var json = false

    func run() throws {
        let settings = try Settings(place.layer)
        let state = try state(settings)
        guard json else { return try Output.line(String(state.currentCount)) }
        try Output.line(state.report.text)
    }

    /// The committed state. Where the default directory has no journal yet the count is 0; a directory that was named
    /// must exist.
    private func state(_ settings: Settings) throws -> CounterState {
        do {
            let journal = try SQLiteJournal.existing(settings)
            return try journal.stateOrZero(of: try journal.existingLocation(of: settings).id)
        } catch let error as JournalError where error.reason == .missing {
            guard !settings.isDataDirectoryNamed, settings.session.location == Location.defaultId.text else {
                throw error
            }
            return CounterState(locationId: Location.defaultId, level: 0)
        }
    }
}

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Counts up by hand and prints the count.")

    @OptionGroup var arguments: CountArguments

    func run() throws { try arguments.count(.in) }
}

struct SubtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sub", abstract: "Counts down by hand and prints the count.")

    @OptionGroup var arguments: CountArguments

    func run() throws { try arguments.count(.out) }
}

/// What `add` and `sub` are told.
struct CountArguments: ParsableArguments {
    @OptionGroup var place: LocationOptions
    @Option(
        help: ArgumentHelp("Why: kept with the entry and shown in the history.", valueName: "text"),
        transform: CountArguments.reason)
    var reason: String?
    @OptionGroup var step: StepOptions
    @Argument(help: "How often.") var times = 1

    func validate() throws {
        guard (1...Changes.most).contains(times) else { throw ValidationError("N must be 1 to 10,000") }
    }

    func count(_ type: EntryType) throws {
        try Changes(place, step).count(type, times: times, reason: reason)
    }

    static func reason(_ text: String) throws -> String {
        guard ReasonRule.admitsTyped(text) else { throw ValidationError(ReasonRule.typedText) }
        return text
    }
}

struct ResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Sets the count to 0, or to any value, and prints it.",
        discussion: "A negative value is written with an equals sign: --to=-5")

    @OptionGroup var place: LocationOptions

    @Option(
        name: .customLong("to"), parsing: .unconditional,
        help: ArgumentHelp("The new count.", valueName: "number"))
    var value = 0

    func run() throws { try Changes(place).reset(to: value) }
}

/// One change by hand on the command line.
struct Changes {
    fileprivate static let most = 10_000

    private let journal: SQLiteJournal
    private let location: Location
    private let step: Int

    init(_ place: LocationOptions, _ step: StepOptions? = nil) throws {
        let settings = try Settings(place.layer, step?.layer ?? [:])
        if step != nil { try settings.require(.step) }
        let journal = try SQLiteJournal.openedToChange(settings)
        self.init(journal, try journal.countedLocation(of: settings), step: settings.session.step)
    }

    init(_ journal: SQLiteJournal, _ location: Location, step: Int = 1) {
        (self.journal, self.location, self.step) = (journal, location, step)
    }

    /// Several entries are one change: they are stored together or not at all, and one undo voids all of them.
    func count(_ type: EntryType, times: Int, reason: String?) throws {
        let count = times * step
        guard count <= Self.most else {
            throw ProgramError("\(times) times \(step) is more than 10,000", status: EX_USAGE)
        }
        let entry = Entry(type, deviceId: Devices.commandLine, source: .manual, reason: reason)
        let state = try make(.entry(entry), .count(count)).state
        tellDrift(after: count * type.delta, state)
        try printCount(state)
    }

    func reset(to value: Int) throws {
        try printCount(make(.reset(Reset(to: value))).state)
    }

    /// Corrects, and prints the levels before and after.
    func correct(_ amount: Correction.Amount, reason: String) throws {
        let (content, work) = amount.correction(deviceId: Devices.commandLine, reason: reason)
        let (receipt, state) = try make(content, work)
        guard case .corrected(_, let before, let after) = receipt.outcome else {
            Output.tell("the count is \(state.currentCount) already")
            return try printCount(state)
        }
        try Output.line("\(before) \(TextTable.isUTF8 ? "→" : "->") \(after)")
    }

    /// Takes back the location's last change within a scope.
    func undo(_ scope: UndoScope) throws { try takeBack(.voidByWork, .undo(scope)) }

    /// Appends again what the location's last undo has taken back.
    func redo(_ scope: UndoScope) throws { try takeBack(.voidByWork, .redo(scope)) }

    /// Takes one row back, whoever made it.
    func takeBack(_ position: Position) throws { try takeBack(.void(position)) }

    /// Takes the end of a day back; without a command that does so unasked, after a question that says what comes back.
    func takeBackEnd(_ position: Position, unasked command: RemedyCommand?) throws {
        if let command, let reopened = try journal.reopening(position, of: location) {
            let rows = DayRow.rows(of: [reopened.day], at: location, now: WallClock().now)
            let table = DayRow.table.text(rows).joined(separator: "\n")
            try Confirmation.require(
                "\(table)\n\(reopened.words)\nTake back the end of this day of '\(location.name.sanitised)'?",
                without: command)
        }
        try takeBack(position)
    }

    /// Prints what was taken back or came back, with the count; where a program reads standard output, that has the count alone.
    private func takeBack(_ content: RowContent, _ work: Request.Work = .append) throws {
        let (receipt, state) = try make(content, work)
        guard let text = receipt.undone(at: location, now: WallClock().now) else {
            return try printCount(state)
        }
        if isatty(STDOUT_FILENO) != 0 { return try Output.line(text) }
        Output.tell(text.sanitised)
        try printCount(state)
    }

    private func make(
        _ content: RowContent, _ work: Request.Work = .append
    ) throws -> (receipt: Receipt, state: CounterState) {
        let now = WallClock().now
        let request = Request(
            locationId: location.id, userId: LoginName.current, timestamp: now, content, work)
        var targets = TargetWatch(try journal.stateOrZero(of: location.id))
        let receipt = try journal.append([request], receivedAt: now)[0]
        try check(receipt)
        let state =
            try journal.statesAfterAppend.first { $0.locationId == location.id }
            ?? journal.stateOrZero(of: location.id)
        if targets.reaches(state) { Output.tell(TargetReached(location: location, state: state).text) }
        return (receipt, state)
    }

    private func printCount(_ state: CounterState) throws { try Output.line(String(state.currentCount)) }

    /// Says what a count did where more were out than in: the count alone would not show it.
    private func tellDrift(after difference: Int, _ state: CounterState) {
        let before = state.level - difference
        guard state.maxCapacity != nil, before < 0 else { return }
        let told =
            state.hasNegativeDrift
            ? "\(state.driftWords) (\(before.magnitude) before), so the count stays 0"
            : "\(before.magnitude) more were out than in, so the count is \(state.currentCount)"
        Output.tell("counted \(difference) in: \(told)")
    }

    private func check(_ receipt: Receipt) throws(ProgramError) {
        switch receipt.outcome {
        case .accepted, .acceptedInNewEpoch, .corrected, .duplicate, .undone, .redone, .refused(.sameLevel):
            break
        case .nothingToUndo(since: let end?):
            let time = location.calendar(about: end).zone.text(of: end)
            throw ProgramError(
                "'\(location.name)': there is nothing to undo since its day ended at \(time)",
                remedy: "To take back that end: " + command("day", "undo", "--location", location.id.text),
                status: EX_UNAVAILABLE)
        case .nothingToUndo(since: nil):
            throw ProgramError(
                "there is nothing to undo",
                remedy: "undo takes back your own changes; any other by its number: "
                    + "counter history --entries, then counter undo --position N",
                status: EX_UNAVAILABLE)
        case .nothingToRedo:
            throw ProgramError(
                receipt.refusal ?? "there is nothing to redo",
                remedy: "To see what was taken back: counter history --entries", status: EX_UNAVAILABLE)
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
        case .overflow, .tooLarge, .sameLevel, .unknownLocation, .invalidSetting, .otherHistory:
            nil
        }
    }

    private var correction: String {
        command("correct", "=N", "--reason", "TEXT", "--location", location.id.text)
    }

    private func command(_ arguments: String...) -> String { RemedyCommand(["counter"] + arguments).text }
}

struct CorrectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "correct",
        abstract: "Corrects the count, with a reason, and prints it before and after.",
        usage: "counter correct +N|-N|=N --reason <text> [--location <name>]",
        discussion: """
            +3 and -3 move the count by a difference; =45 sets it to what you counted. A correction is one row of the \
            journal. Nobody came or went by it: it changes the count, not the totals in and out, where add and sub \
            count as traffic. A location with a capacity goes neither below 0 nor, without --admits-over-full, above \
            the capacity; a correction is made as a whole or not at all.

                counter correct '=45' --reason "counted by hand at noon"
            """)

    @OptionGroup var place: LocationOptions
    @Option(
        help: ArgumentHelp("Why: kept with the row and shown in the history.", valueName: "text"),
        transform: CountArguments.reason)
    var reason: String
    // An argument such as -3 looks like an option that the parser does not know.
    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("How much: +N or -N, or =N for the count that it is to be.", valueName: "+N|-N|=N")
    )
    var amount: [String] = []

    func validate() throws {
        let unknown = amount.first {
            $0.hasPrefix("--") || $0.hasPrefix("-") && Correction.Amount($0) == nil
        }
        if let unknown { throw ValidationError("Unknown option '\(unknown)'") }
        guard amount.count == 1, Correction.Amount(amount[0]) != nil else {
            throw ValidationError(
                "give one number: +3 or -3 for a difference, or =45 for what was counted; "
                    + Correction.range)
        }
    }

    func run() throws {
        guard let amount = Correction.Amount(amount[0]) else { return }
        try Changes(place).correct(amount, reason: reason)
    }
}

struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Takes back your own last change since the last end of a day, and says what it was.",
        discussion: """
            That is a count, a whole long press, a correction or a reset, in any location or in that of --location; \
            of your commands, your screens, and the volume keys that your counter reads; never what a door, another \
            device or another user has reported since, never a setting. The end of a day is taken back with \
            'counter day undo', any other row with --position; 'counter history --entries' prints the number of each. \
            --redo brings back what was taken back last, until you change something else: the row is appended again, \
            with its time. \
            The row stays, with who took it back and when. Prints what was taken back and the count; where standard \
            output is no terminal the count there, and the rest on standard error.
            """)

    @OptionGroup var place: LocationOptions
    @Option(help: ArgumentHelp("Takes back this one row, whoever made it.", valueName: "number"))
    var position: Int64?
    @Flag(help: "Brings back what was taken back last.") var redo = false
    @Flag(help: "Does not ask before it takes back the end of a day.") var yes = false

    func validate() throws {
        if let position, position < 1 { throw ValidationError("--position is 1 or more") }
        if redo, position != nil { throw ValidationError("--redo and --position exclude each other") }
    }

    func run() throws {
        guard let position else { return try takeBackLast() }
        let settings = try Settings(place.layer)
        let journal = try SQLiteJournal.openedToChange(settings, creating: false)
        let (row, location) = try self.row(at: Position(position), in: journal)
        guard case .endOfDay = row.shown else {
            return try Changes(journal, location).takeBack(Position(position))
        }
        let command = RemedyCommand(["counter", "undo", "--position", "\(position)", "--yes"])
        try Changes(journal, location).takeBackEnd(Position(position), unasked: yes ? nil : command)
    }

    private func takeBackLast() throws {
        let settings = try Settings(place.layer)
        let journal = try SQLiteJournal.openedToChange(settings)
        let user = LoginName.current
        let scope = UndoScope(userId: user, deviceIds: Devices(try journal.devices()).keysHere(of: user))
        _ = try journal.endDueDays(now: WallClock().now)
        let last = place.location == nil ? try journal.location(toUndo: scope, isRedo: redo) : nil
        let location =
            try last.map { try journal.existingLocation(named: $0.text) }
            ?? journal.countedLocation(of: settings)
        let changes = Changes(journal, location)
        try redo ? changes.redo(scope) : changes.undo(scope)
    }

    /// The row that is to be taken back, and its location, which has to be the one that --location names, if it does.
    private func row(at position: Position, in journal: SQLiteJournal) throws -> (RowContent, Location) {
        let rows = try journal.feed(after: Position(position.number - 1), limit: 1)
        guard let row = rows.first?.row, row.id == position else {
            throw ProgramError(
                "there is no row \(position.number)", remedy: "To see the rows: counter history --entries",
                status: EX_NOINPUT)
        }
        guard let id = row.locationId else { throw Self.refusal(position, Self.definition) }
        let location = try journal.existingLocation(named: id.text)
        if let named = place.location, try journal.existingLocation(named: named).id != location.id {
            throw ProgramError(
                "row \(position.number) is of '\(location.name)', not of '\(named)'", status: EX_USAGE)
        }
        let reason: Reason
        switch row.content {
        case .entry, .correction, .reset, .endOfDay, .clock: return (row.content, location)
        case .location, .device, .journal: reason = Self.definition
        case .setting:
            let command = RemedyCommand(["counter", "location", "set", location.id.text]).text
            reason = ("is a setting, which is changed, not taken back", "To change it: \(command) …")
        case .sharing:
            let command = RemedyCommand(["counter", "location", "share", location.id.text, "--stop"]).text
            reason = (
                "is about sharing the location, which is changed, not taken back", "To leave it: \(command)"
            )
        case .timerEvent:
            reason = (
                "is of a timer, which is not taken back", "To see the timers: counter timer list"
            )
        case .reading:
            reason = (
                "is what a counter has told, which is not taken back",
                "Take back what it has counted. To see it: counter history --entries"
            )
        case .unknown(let content):
            reason = (
                "is of a kind that this version does not know ('\(content.type)')",
                "Take it back on the machine that it is from, or install a later version."
            )
        case .void: reason = ("takes another row back, and cannot be taken back itself", nil)
        }
        throw Self.refusal(position, reason)
    }

    /// Why a row is not taken back, and what helps.
    private typealias Reason = (why: String, remedy: String?)

    private static let definition: Reason = (
        "says what a location, a device or a journal is, which is set anew, not taken back",
        "To see how: counter location set --help, counter device --help"
    )

    private static func refusal(_ position: Position, _ reason: Reason) -> ProgramError {
        ProgramError(
            "row \(position.number) \(reason.why)", remedy: reason.remedy, status: EX_UNAVAILABLE)
    }
}
