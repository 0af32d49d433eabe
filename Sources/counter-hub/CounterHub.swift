import ArgumentParser
import CounterModel
import CounterStore
import Glibc
import Hub
import Linux

/// `counter-hub`: the server, and what prepares it.
@main
enum Program {
    static func main() {
        Output.reserveStandardStreams()
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try HubCommand.parseAsRoot()
            try command.run()
        } catch {
            end(error)
        }
    }

    /// Says why the program ends; mistakes on the command line are those of the parser.
    private static func end(_ error: any Error) -> Never {
        if let code = error as? ExitCode { exit(code.rawValue) }
        switch HubCommand.exitCode(for: error) {
        case .success:
            print(HubCommand.fullMessage(for: error))
            exit(EX_OK)
        case .validationFailure:
            HubServer.end(
                with: ProgramError(
                    HubCommand.message(for: error), remedy: "See '\(command) --help'.", status: EX_USAGE))
        default: HubServer.end(with: error)
        }
    }

    private static var command: String {
        var (command, names): (any ParsableCommand.Type, [String]) = (HubCommand.self, ["counter-hub"])
        for word in CommandLine.arguments.dropFirst() {
            let next = command.configuration.subcommands.first { $0.configuration.commandName == word }
            guard let next else { continue }
            command = next
            names.append(word)
        }
        return names.joined(separator: " ")
    }
}

struct HubCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counter-hub", abstract: "Serves a journal over HTTP: events of devices in, counts out.",
        version: Version.current,
        subcommands: [
            ServeCommand.self, TokenCommand.self, CertificateCommand.self, AdapterCommand.self,
            LogCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)
}

struct JournalOptions: ParsableArguments {
    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            "The directory of the journal.", discussion: "Default: COUNTER_DATA_DIR, or that of counter",
            valueName: "directory"),
        completion: .directory)
    var path: String?

    var directory: String { get throws { try path ?? HubOptions.defaultDirectory } }

    /// The journal, which is made where it is missing.
    func journal() throws -> SQLiteJournal {
        try SQLiteJournal(directory: try directory, timezone: ZoneDatabase().localZone)
    }
}

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves until SIGTERM or SIGINT. What is done where no command is named.",
        discussion: """
            Every request but those of /healthz and the page itself needs a token: counter-hub token add. SIGHUP has it read the certificate again. \
            Other machines are served with TLS only.
            """)

    @OptionGroup var journal: JournalOptions
    @Option(help: ArgumentHelp("Where to listen; may be repeated.", valueName: "address:port"))
    var listen: [String] = ["127.0.0.1:8484"]
    @Option(
        help: ArgumentHelp(
            "The location of events that name none, by a token that has none either.", valueName: "name"))
    var location = Location.defaultId.text
    @Option(
        help: ArgumentHelp("The certificate, with its chain, in PEM.", valueName: "file"), completion: .file()
    )
    var tlsCertificate: String?
    @Option(help: ArgumentHelp("The key of the certificate, in PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?
    @Flag(help: "Serves other machines without TLS, where nobody can listen or a proxy has it.")
    var insecure = false
    @Option(help: ArgumentHelp("How many connections at a time.", valueName: "number"))
    var connections = HubLimits().connections
    @Option(
        help: ArgumentHelp(
            "How many of one address.", discussion: "Default: 64, and all of this machine",
            valueName: "number"))
    var connectionsPerAddress: Int?
    @Option(
        help: ArgumentHelp("How many lines of one token a second; 0 for any number.", valueName: "number"))
    var linesPerSecond = HubLimits().linesPerSecond
    @Option(
        help: ArgumentHelp(
            "The broker to which devices send; which of their messages are read, hub-adapters.toml beside the journal says.",
            discussion: "mqtt://[USER@]HOST[:1883], or mqtts://[USER@]HOST[:8883] with TLS", valueName: "url")
    )
    var mqtt: String?
    @Option(
        help: ArgumentHelp("The file with the password of the broker's user.", valueName: "file"),
        completion: .file())
    var mqttPasswordFile: String?
    @Option(
        help: ArgumentHelp(
            "The certificates that may have signed the broker's, in PEM.",
            discussion: "Default: those of the system", valueName: "file"), completion: .file())
    var mqttCa: String?
    @Flag(help: "Publishes the counts to the broker, where Home Assistant finds them by itself.")
    var homeAssistant = false
    @Option(
        help: ArgumentHelp(
            "The database that has every row before it is acknowledged; counter-hub log init makes the log in it.",
            discussion:
                "postgresql://[USER@][HOST[:PORT],…]/DATABASE[?sslmode=verify-full&…], as libpq reads it",
            valueName: "url"))
    var log: String?
    @Option(
        help: ArgumentHelp(
            "How long after its last sign a device is stale that is not connected.",
            discussion: "Of a counter that reports every 15 minutes: 30min", valueName: "duration"))
    var staleAfter = "120s"
    @Flag(help: "The journal may be on a network file system.")
    var allowNetworkFilesystem = false

    func validate() throws {
        if (tlsCertificate == nil) != (tlsKey == nil) {
            throw ValidationError("--tls-certificate and --tls-key need each other")
        }
        if mqtt == nil, mqttPasswordFile ?? mqttCa != nil || homeAssistant {
            throw ValidationError("--mqtt-password-file, --mqtt-ca and --home-assistant need --mqtt")
        }
        guard staleTime.map({ $0 > .zero }) ?? false else {
            throw ValidationError("--stale-after is a duration of more than 0, \(DurationText.forms)")
        }
        for (name, value, least) in [
            ("connections", connections, 1), ("connections-per-address", connectionsPerAddress ?? 1, 1),
            ("lines-per-second", linesPerSecond, 0),
        ] where !(least...1_000_000).contains(value) {
            throw ValidationError("--\(name) is a number from \(least) to 1000000")
        }
    }

    private var staleTime: Duration? { DurationText.read(staleAfter) }

    func run() throws {
        var options = HubOptions(directory: try journal.directory, addresses: listen)
        options.location = location
        options.isInsecure = insecure
        options.staleAfter = staleTime ?? options.staleAfter
        options.allowsNetworkFileSystem = allowNetworkFilesystem
        options.limits.connections = connections
        options.limits.connectionsPerAddress = connectionsPerAddress
        options.limits.linesPerSecond = linesPerSecond
        if let tlsCertificate, let tlsKey {
            options.certificate = CertificateFiles(certificate: tlsCertificate, key: tlsKey)
        }
        if let mqtt {
            var broker = try BrokerOptions(url: mqtt)
            (broker.passwordFile, broker.trusted) = (mqttPasswordFile, mqttCa)
            broker.publishes = homeAssistant
            options.broker = broker
        }
        options.log = try log.map { url throws(ProgramError) in try LogTarget(url: url) }
        try HubServer.run(options)
    }
}
