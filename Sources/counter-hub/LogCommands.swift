import ArgumentParser
import CounterModel
import CounterStore
import Glibc
import Hub
import Linux

struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Makes, compares and reads the log in PostgreSQL, which serve --log writes.",
        subcommands: [Init.self, Check.self, Restore.self, Fork.self])

    struct Database: ParsableArguments {
        @Argument(
            help: ArgumentHelp(
                "The database: postgresql://[USER@][HOST[:PORT],…]/DATABASE, as libpq reads it.",
                valueName: "url"))
        var url: String

        func target() throws -> LogTarget { try LogTarget(url: url) }
    }

    struct Init: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Makes the log in a database, or brings its views up to date.",
            discussion: """
                Makes the schema counter, and the roles counter_hub, for the hubs, and counter_reader, for those who only read. The user \
                of the address must be allowed to create schemas, and roles where they are missing.
                """)

        @OptionGroup var database: Database

        func run() throws {
            let isNew = try LogTasks.initialise(try database.target())
            try Output.line(isNew ? "the log is made" : "the log is up to date")
            guard isNew else { return }
            Output.complain(
                ProgramError(
                    "a hub writes as a user of the role counter_hub",
                    remedy: "In the database: CREATE ROLE hub LOGIN PASSWORD '…' IN ROLE counter_hub",
                    status: EX_OK))
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Compares each row of the journal with the log.",
            discussion:
                "Exits with 1 where they differ. Rows that a hub takes in meanwhile may be in one of them only."
        )

        @OptionGroup var journal: JournalOptions
        @OptionGroup var database: Database

        func run() throws {
            let result = try LogTasks.compare(try journal.journal(), with: try database.target())
            try Output.line("rows of the journal: \(result.rows), of the log: \(result.rowsInLog)")
            try Output.line("not in the log: \(result.missing)")
            try Output.line("not in the journal: \(result.rowsInLog - (result.rows - result.missing))")
            if let other = result.other {
                try Output.line(
                    "others in the log: \(result.others), first row \(other.position.number) of the journal \(other.journalId)"
                )
            }
            if !result.isSame { throw ExitCode(1) }
        }
    }

    struct Fork: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fork",
            abstract:
                "Gives the rows of the journal a new journal id, from the first one on that is another in the log.",
            discussion: """
                For a journal of which an earlier copy was put back and counted on, or of which another hub uses a copy. At the next start the hub \
                puts these rows into the log under the new id, and takes over those that it has lost.
                """)

        @OptionGroup var journal: JournalOptions
        @OptionGroup var database: Database

        func run() throws {
            let count = try LogTasks.fork(try journal.journal(), from: try database.target())
            try Output.line(
                count == 0 ? "no row is another one in the log" : "rows that have a new journal id: \(count)")
        }
    }

    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Takes over the rows of the log that the journal does not have.",
            discussion: """
                A hub with an empty journal does the same when it starts with --log. Tokens, the certificate and hub-adapters.toml are no \
                rows: keep copies of these files.
                """)

        @OptionGroup var journal: JournalOptions
        @OptionGroup var database: Database

        func run() throws {
            let count = try LogTasks.restore(try journal.journal(), from: try database.target()) { notice in
                Output.complain(ProgramError(notice, status: EX_OK))
            }
            try Output.line(count == 1 ? "1 row is restored" : "\(count) rows are restored")
        }
    }
}
