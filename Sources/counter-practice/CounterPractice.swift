import ArgumentParser
import Glibc
import Practice
import PracticeScreens
import PracticeStore
import System

/// The version; the same as `counter`'s.
enum PracticeVersion {
    static let current = "0.1.0"
}

/// `counter-practice`: the start and the end of the process.
@main
enum CounterPractice {
    static func main() {
        Output.reserveStandardStreams()
        signal(SIGPIPE, SIG_IGN)
        setlocale(LC_ALL, "")
        umask(0o077)
        do {
            var command = try PracticeRoot.parseAsRoot()
            try command.run()
        } catch { exit(report(error)) }
    }

    private static func report(_ error: any Error) -> CInt {
        switch error {
        case let code as ExitCode: return code.rawValue
        case let failure as Failure: return complain(failure)
        case let error as StoreError:
            return complain(Failure("\(error)", remedy: error.remedy, status: error.status))
        case is SystemCallError: return complain(Failure("\(error)", status: EX_OSERR))
        default: PracticeRoot.exit(withError: error)
        }
    }

    private static func complain(_ failure: Failure) -> CInt {
        Output.complain(failure)
        return failure.status
    }
}

extension StoreError {
    fileprivate var status: CInt {
        switch reason {
        case .diskFull, .failed: EX_IOERR
        case .notPermitted: EX_NOPERM
        case .corrupt, .newer: EX_DATAERR
        case .inUse: EX_UNAVAILABLE
        }
    }
}

struct PracticeRoot: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counter practice",
        abstract: "Learn to press your two keys: counts, patterns and labyrinths.",
        discussion: """
            Up goes on, down goes back, both keys together choose; both held for two seconds lead home. The arrow keys, Enter, \
            Escape and clicks do the same. Everything stays in one directory of this machine; see docs/practice.md.
            """,
        version: PracticeVersion.current,
        subcommands: [PlayCommand.self, ReportCommand.self, PINCommand.self, EraseCommand.self],
        defaultSubcommand: PlayCommand.self)
}

struct FolderOptions: ParsableArguments {
    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            "The directory above the one of practice.", discussion: "Default: $XDG_DATA_HOME/counter",
            valueName: "dir"))
    var dataDirectory: String?

    /// The directory of practice.
    func folder() throws(Failure) -> PracticeFolder {
        let named = dataDirectory ?? environmentVariable("COUNTER_DATA_DIR").flatMap { $0.isEmpty ? nil : $0 }
        if let named { return PracticeFolder(below: named) }
        return PracticeFolder(below: try ProgramFiles.defaultDataDirectory())
    }

    /// The directory, which must have been used before.
    func usedFolder() throws(Failure) -> PracticeFolder {
        let folder = try folder()
        guard folder.exists else {
            throw Failure(
                "\(folder.path): nobody has practised yet", remedy: "counter practice starts it.",
                status: EX_NOINPUT)
        }
        return folder
    }
}

struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Opens the screens (default).")

    @OptionGroup var options: FolderOptions
    @Flag(help: "Speak every text through speech-dispatcher, this time.")
    var speech = false

    func run() throws {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO] where isatty(descriptor) == 0 {
            throw Failure(
                "standard \(descriptor == 0 ? "input" : "output") is not a terminal",
                remedy: "Practice needs one.",
                status: EX_UNAVAILABLE)
        }
        let signals = try SignalDescriptor(PracticeProgram.signals)
        let folder = try options.folder()
        try folder.take()
        try PracticeProgram(folder, speaks: speech, signals: signals).run()
    }
}

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Prints what each player has played, as text; cron can mail it.")

    @OptionGroup var options: FolderOptions
    @Argument(help: "Only the players of this name.")
    var name: String?

    func run() throws {
        let folder = try options.usedFolder()
        let settings = try SettingsStore(folder.settingsPath, makes: false).settings()
        var isFound = false
        for id in folder.playerIds {
            let store = try PlayerStore(folder.path(ofPlayer: id))
            let player = try store.player()
            guard name == nil || name == player.name else { continue }
            if isFound { try Output.line("") }
            isFound = true
            for line in PlayerReport(player, settings?.parentSettings ?? ParentSettings()).lines {
                try Output.line(line)
            }
        }
        if !isFound, let name { throw Failure("no player is called \(name)", status: EX_NOINPUT) }
    }
}

struct PINCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Removes the grown-up's PIN, so that the next start asks for a new one."
    )

    @OptionGroup var options: FolderOptions
    @Flag(help: "Confirms that the PIN is to be removed.")
    var reset = false

    func run() throws {
        let folder = try options.usedFolder()
        guard reset else {
            throw Failure(
                "nothing was changed", remedy: "counter practice pin --reset removes the PIN.",
                status: EX_USAGE)
        }
        try folder.take()
        try SettingsStore(folder.settingsPath, makes: false).set(nil)
        try Output.line("The PIN is removed. The next start asks for a new one.")
    }
}

struct EraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erases all that is kept about a player.")

    @OptionGroup var options: FolderOptions
    @Argument(help: "The player's name, or the name of a file such as player-1a2b.sqlite.")
    var name: String
    @Flag(help: "Do not ask.")
    var yes = false

    func run() throws {
        let folder = try options.usedFolder()
        try folder.take()
        let ids = folder.playerIds.filter { id in
            name == "player-\(id).sqlite"
                || (try? PlayerStore(folder.path(ofPlayer: id)).player().name) == name
        }
        guard !ids.isEmpty else { throw Failure("no player is called \(name)", status: EX_NOINPUT) }
        if !yes { try confirm() }
        for id in ids { try folder.erase(player: id) }
        let store = try SettingsStore(folder.settingsPath, makes: false)
        if var settings = try store.settings() {
            for id in ids { settings.forget(player: id) }
            try store.save(settings)
        }
        try Output.line("\(name) is erased.")
    }

    private func confirm() throws {
        guard isatty(STDIN_FILENO) != 0 else {
            throw Failure(
                "confirmation needed", remedy: "counter practice erase --yes NAME", status: EX_USAGE)
        }
        try Output.write("Erase all that is kept about \(name.printable)? [y/N] ", to: STDERR_FILENO)
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure("nothing was changed", status: 1)
        }
    }
}
