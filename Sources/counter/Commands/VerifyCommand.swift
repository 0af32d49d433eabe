import ArgumentParser
import CounterStore
import Linux

/// `counter verify`: replays the journal and compares the projections.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Replays the journal and compares everything derived from it.",
        discussion: "Says nothing and exits 0 where all agrees; otherwise prints what differs and exits 1.")

    @OptionGroup var journal: JournalOptions

    @Flag(help: "Makes everything that is derived anew from the journal.")
    var rebuild = false

    func run() throws {
        let settings = try Settings(journal.layer)
        let journal =
            rebuild
            ? try SQLiteJournal.openedToChange(settings, creating: false)
            : try SQLiteJournal.existing(settings)
        if rebuild { try journal.rebuild() }
        let findings = try journal.verify()
        for finding in findings { try Output.line(finding.text.sanitised) }
        if !findings.isEmpty { throw ExitCode(1) }
    }
}

extension JournalFinding {
    fileprivate var text: String {
        switch self {
        case .differs(let table, let row, let stored, let replayed):
            "\(table), \(row): stored \(stored ?? "nothing"), replayed \(replayed ?? "nothing")"
        case .damaged(let report): "damaged: \(report)"
        case .missingTrigger(let name):
            "the trigger \(name) is missing, which keeps the journal from being rewritten"
        }
    }
}
