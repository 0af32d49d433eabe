import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux

struct ClockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract:
            "Says whether this machine's clock is kept right, and moves what it has timed while it was wrong.",
        discussion: """
            A machine that starts without a network, such as a Raspberry Pi, may count by a wrong clock until NTP sets it. Where \
            that is by more than a minute, what was counted here since the machine was started moves with the clock by itself.

            Where the clock is set by hand, nobody but you knows whether it was wrong before. Until you say so, with \
            'move' or 'keep', the rows have the times that they were given. Each move is a row of its own in the history, with \
            the number that 'counter undo --position' takes back.
            """,
        subcommands: [Show.self, Move.self, Keep.self], defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Says whether the clock is kept right, and what it has timed before it was set.")

        @OptionGroup var journal: JournalOptions

        func run() throws {
            let rows = try SQLiteJournal.existing(Settings(journal.layer)).mistimedRows()
            let clock = Clock.isSynchronised ? "is kept right by NTP" : "is not kept right by NTP"
            try Output.line("this machine's clock \(clock)")
            if let rows { try Output.line("\(rows.doubt)\n  \(MistimedRows.remedy)") }
        }
    }

    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Moves what the clock has timed before it was set by hand: it was wrong.")

        @OptionGroup var journal: JournalOptions

        func run() throws {
            let journal = try ClockCommand.journal(journal)
            try journal.settleClock(byMoving: true, now: WallClock().now)
            if let moved = journal.takeMovedRows() { try Output.line(moved.moved) }
        }
    }

    struct Keep: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep",
            abstract: "Leaves what the clock has timed before it was set by hand: it was right.")

        @OptionGroup var journal: JournalOptions

        func run() throws {
            try ClockCommand.journal(journal).settleClock(byMoving: false, now: WallClock().now)
        }
    }

    /// - Throws: `ProgramError` (69) where there is nothing to decide.
    private static func journal(_ options: JournalOptions) throws -> SQLiteJournal {
        let journal = try SQLiteJournal.openedToChange(Settings(options.layer), creating: false)
        if try journal.mistimedRows() != nil { return journal }
        throw ProgramError(
            "no row has its time by a clock that was set by hand since",
            remedy: "To see what the clocks have moved: counter history --entries", status: EX_UNAVAILABLE)
    }
}
