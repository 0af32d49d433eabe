import Adapters
import ArgumentParser
import CounterModel
import Glibc
import Hub
import Linux
import Reports

struct AdapterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adapter",
        abstract: "Lists, shows and tries what makes counts of the messages of real counters.",
        subcommands: [List.self, Show.self, Test.self], defaultSubcommand: List.self)

    /// The adapters of a file, or those that come with the program.
    private static func adapters(_ file: String?) throws -> AdapterFile {
        let zone = ZoneDatabase().localZone
        guard let file else { return try AdapterFile.builtIn(zone: zone) }
        return try AdapterFile(TextFile(path: file, name: file).text, name: file, zone: zone)
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the adapters that come with counter-hub, or those of a file.")

        @Flag(help: "Prints a JSON object for each.") var json = false
        @Argument(help: "A file of adapters.", completion: .file(extensions: ["toml"])) var file: String?

        func run() throws {
            let adapters = try AdapterCommand.adapters(file).adaptersInUse
            let table = Table<Adapter>([
                .init("name", "NAME") { .text($0.name) },
                .init("mode", "MODE") { .text($0.mode) },
                .init("places", "TOPIC OR PATH") { .list($0.placeTexts) },
            ])
            for line in json ? adapters.map(table.json) : table.text(adapters) { try Output.line(line) }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Prints an adapter that comes with counter-hub, as a file of one's own may have it.")

        @Argument(help: "Its name.") var adapter: String

        func run() throws {
            guard let text = AdapterFile.builtInText(of: adapter) else {
                throw AdapterCommand.unknown(adapter, among: try AdapterCommand.adapters(nil))
            }
            try Output.line(text)
        }
    }

    private static func unknown(_ name: String, among file: AdapterFile, else other: String = "")
        -> ProgramError
    {
        ProgramError(
            "there is no adapter '\(name)'" + other,
            remedy: file.adapters.map(\.name).suggestion(for: name)
                + "To list them: counter-hub adapter list", status: EX_USAGE)
    }

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test", abstract: "Shows what messages would count, and why. Nothing is stored.",
            discussion: """
                Reads messages from standard input, one a line, as mosquitto_sub prints them with -v, -F %J or -F %j; or payloads \
                alone, as a device posts them. A line may begin with the time at which it came, 2026-01-14T13:03:59Z; lines without one \
                came a minute after the line before. The numbers of the rules are those of docs/devices.md.

                mosquitto_sub -v -t 'tele/+/SENSOR' -W 900 | counter-hub adapter test tasmota
                """)

        @Flag(help: "Prints a JSON object for each reading.") var json = false
        @Argument(
            help: "A file of adapters, or the name of one that comes with counter-hub.",
            completion: .file(extensions: ["toml"]))
        var adapter: String

        func run() throws {
            var trial = try trial()
            let messages = trial.messages(in: try Self.standardInput(), start: HubServer.now)
            let rows = messages.enumerated().flatMap { index, message in
                trial.take(message).map { outcome in
                    var outcome = outcome
                    outcome.message = index + 1
                    return outcome
                }
            }
            try print(rows)
            if rows.contains(where: \.isRefused) { throw ExitCode(EX_DATAERR) }
        }

        private func trial() throws -> AdapterTrial {
            if adapter.contains("/") || adapter.hasSuffix(".toml") || access(adapter, F_OK) == 0 {
                let file = try AdapterCommand.adapters(adapter)
                return AdapterTrial(file, file.adaptersNamed)
            }
            let file = try AdapterCommand.adapters(nil)
            guard let found = file.adapters.first(where: { $0.name == adapter }) else {
                throw AdapterCommand.unknown(adapter, among: file, else: ", and no such file")
            }
            return AdapterTrial(file, [found])
        }

        private static func standardInput() throws -> [UInt8] {
            let limit = 64 << 20
            let bytes: [UInt8]
            do throws(SystemCallError) {
                bytes = try Descriptor(owning: fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)).readAll(limit: limit)
            } catch {
                throw ProgramError("standard input: \(errorText(error.errno))", status: EX_IOERR)
            }
            guard bytes.count <= limit else {
                throw ProgramError("standard input: is longer than \(limit >> 20) MiB", status: EX_DATAERR)
            }
            return bytes
        }

        private func print(_ rows: [ReadingOutcome]) throws {
            let table = ReadingOutcome.table
            for line in json ? rows.map(table.json) : table.text(rows) { try Output.line(line) }
            let verdicts = rows.compactMap(\.verdict)
            let (people, others) = verdicts.reduce((0, 0)) {
                ($0.0 + ($1.numbers.in ?? 0), $0.1 + ($1.numbers.out ?? 0))
            }
            if !json { try Output.line("in \(people), out \(others)") }
        }
    }
}
