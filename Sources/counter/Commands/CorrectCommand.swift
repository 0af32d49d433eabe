import ArgumentParser
import CounterModel

/// `counter correct`: moves the count to what was counted.
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

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions
    @Option(
        help: ArgumentHelp("Why: kept with the row and shown in the history.", valueName: "text"),
        transform: ReasonOptions.text)
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
        try Changes(journal, locationOption).correct(amount, reason: reason)
    }
}
