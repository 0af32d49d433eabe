package import ArgumentParser
import CounterModel
import CounterStore
import Glibc
package import Hub
import Linux
import Reports

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Makes, lists and revokes tokens. A running hub follows at once.",
        subcommands: [Add.self, List.self, Revoke.self], defaultSubcommand: List.self)

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Makes a token and prints it, once.",
            discussion: """
                --admin reads and sends everything. --viewer reads. --door keeps its locations, which it shares, the same as those of \
                another journal (counter sync), and sends events of any device into them. --device sends events of one device, which has the token's \
                name, into its locations. A location that does not exist is added.
                """)

        @OptionGroup var journal: JournalOptions
        @Flag(help: "What the token may do.") var role: Token.Role
        @Option(
            help: ArgumentHelp(
                "A location that the token is for; may be repeated. Events that name none count into the first one.",
                valueName: "name"))
        var location: [String] = []
        @Argument(help: "Its name; for a device, the device's id.") var name: String

        func validate() throws {
            if !NameRule.admits(name) { throw ValidationError(NameRule.text) }
            switch role {
            case .door, .device:
                if location.isEmpty { throw ValidationError("--\(role.rawValue) needs a --location") }
            case .admin: if !location.isEmpty { throw ValidationError("--admin is for all locations") }
            case .viewer: break
            }
        }

        func run() throws {
            try Output.require()
            let journal = try journal.journal()
            let file = TokenFile(directory: journal.directory)
            let locations = try location.map { try self.id(of: $0, in: journal) }
            let now = HubServer.now
            let (token, secret) = Token.make(name, role, locations: locations, at: now)
            try file.add(token)
            // A token whose secret was not printed is of no use, and its name could not be given again.
            do {
                if role == .door { try share(locations, in: journal, at: now) }
                try Output.line(secret)
            } catch {
                try file.revoke(name)
                throw error
            }
            Output.tell(
                "this is the token of '\(name)'; it is shown once", remedy: example(secret))
        }

        private func id(of name: String, in journal: SQLiteJournal) throws -> Identifier {
            if let known = try journal.location(named: name) { return try known.requireVisible().id }
            guard NameRule.admits(name) else {
                throw ProgramError("--location '\(name)': \(NameRule.text)", status: EX_USAGE)
            }
            let new = Location(id: Identifier(name), name: name, timezone: ZoneDatabase().localZone)
            try journal.add(new: new, at: HubServer.now)
            Output.tell("the location '\(name)' is added")
            return new.id
        }

        /// A door takes the rows of its locations with it: that is what the token is for.
        private func share(_ locations: [Identifier], in journal: SQLiteJournal, at now: Timestamp) throws {
            for id in locations {
                let location = try journal.existingLocation(named: id.text, orCreate: false)
                guard try journal.setShared(true, location, at: now) else { continue }
                Output.tell("the location '\(location.name)' is shared")
            }
        }

        private func example(_ secret: String) -> String {
            let path = role == .viewer ? "status" : "events"
            let data =
                role == .viewer ? "" : " -d '{\"delta\":1\(role == .device ? "" : ",\"deviceId\":\"door\"")}'"
            return
                "To try it: curl -H 'Authorization: Bearer \(secret)'\(data) http://127.0.0.1:8484/v1/\(path)"
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the tokens, without their secrets.")

        @OptionGroup var journal: JournalOptions
        @Flag(help: "Prints a JSON object for each.") var json = false

        func run() throws {
            let tokens = try TokenFile(directory: try journal.directory).tokens()
            let table = Table<Token>([
                .init("name", "NAME") { .text($0.name) },
                .init("role", "ROLE") { .text($0.role.rawValue) },
                .init(
                    "locations", "LOCATIONS",
                    words: { $0.locations.isEmpty ? "all" : $0.locations.map(\.text).joined(separator: ", ") }
                ) {
                    .list($0.locations.map(\.text))
                },
                .init("createdAt", "CREATED") { .time($0.createdAt) },
            ])
            for line in json ? tokens.map(table.json) : tokens.isEmpty ? [] : table.text(tokens) {
                try Output.line(line)
            }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Makes a token useless, and cuts off who uses it.")

        @OptionGroup var journal: JournalOptions
        @Argument(help: "Its name.") var name: String

        func run() throws { try TokenFile(directory: try journal.directory).revoke(name) }
    }
}

extension Token.Role: EnumerableFlag {
    package static func help(for role: Self) -> ArgumentHelp? {
        switch role {
        case .admin: "Reads and sends everything."
        case .viewer: "Reads."
        case .door: "Reads its locations, and sends events and rows into them."
        case .device: "Sends events of one device."
        }
    }
}

struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Makes a key and a certificate of one's own, and prints its fingerprint.",
        discussion: """
            They are hub-key.pem and hub-certificate.pem beside the journal. Doors that know the fingerprint need no \
            authority. Where they exist already, the fingerprint is printed; with --force they are made anew, and doors \
            have to be told the new one. Where only the certificate is missing, it is made with the same key, and the \
            fingerprint stays.
            """)

    @OptionGroup var journal: JournalOptions
    @Flag(help: "Makes them anew.") var force = false
    @Argument(help: "The names and addresses of the hub. Default: the name of this machine, and localhost")
    var names: [String] = []

    func run() throws {
        let directory = try journal.directory
        try makePrivateDirectory(directory)
        let files = CertificateFiles(directory: directory)
        let (hasKey, hasCertificate) = (access(files.key, F_OK) == 0, access(files.certificate, F_OK) == 0)
        if hasCertificate, !hasKey, !force {
            throw ProgramError(
                "\(files.key): is missing",
                remedy:
                    "Put it back, or make both anew, for doors that are told the new fingerprint: --force",
                status: EX_NOINPUT)
        }
        if force || !hasCertificate {
            let own = [HostName.current, "localhost", "127.0.0.1", "::1"].compactMap(\.self)
            try files.make(for: names.isEmpty ? own : names, withOldKey: hasKey && !force)
        } else if !names.isEmpty {
            throw ProgramError(
                "\(files.certificate): exists already", remedy: "To make it anew, for these names: --force",
                status: EX_CANTCREAT)
        }
        try Output.line("sha256=\(try files.fingerprint())")
        Output.tell(
            "the certificate is \(files.certificate)",
            remedy: "To serve other machines: "
                + HubOptions.command(
                    [
                        "--listen", "0.0.0.0:8484", "--tls-certificate", files.certificate, "--tls-key",
                        files.key,
                    ], in: directory))
    }
}

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
            Output.tell(
                "a hub writes as a user of the role counter_hub",
                remedy: "In the database: CREATE ROLE hub LOGIN PASSWORD '…' IN ROLE counter_hub")
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
                Output.tell(notice)
            }
            try Output.line(count == 1 ? "1 row is restored" : "\(count) rows are restored")
        }
    }
}
