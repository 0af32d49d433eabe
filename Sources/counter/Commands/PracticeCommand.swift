import ArgumentParser
import Glibc
import System

/// `counter practice`: another program, which this process becomes. It has files of its own below the data directory.
struct PracticeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "practice",
        abstract: "Learn to press your two keys: counts, patterns and labyrinths for a child or a beginner.",
        discussion: """
            Up goes on, down goes back, both keys together choose; both held for two seconds lead home. The arrow keys, Enter, \
            Escape and clicks do the same. Everything stays in one directory of this machine.
            """,
        subcommands: [Play.self, Report.self, PIN.self, Erase.self], defaultSubcommand: Play.self)

    /// `counter practice play`
    struct Play: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "play", abstract: "Opens the screens (default).")

        @OptionGroup var options: PracticeOptions
        @Flag(help: "Speak every text through speech-dispatcher, this time.")
        var voice = false

        func run() throws { try options.start(["play"] + (voice ? ["--voice"] : [])) }
    }

    /// `counter practice report`
    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report", abstract: "Prints what each player has played, as text; cron can mail it.")

        @OptionGroup var options: PracticeOptions
        @Argument(help: "Only the player of this name.")
        var name: String?

        func run() throws { try options.start(["report"] + (name.map { [$0] } ?? [])) }
    }

    /// `counter practice pin`
    struct PIN: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pin",
            abstract: "Removes the grown-up's PIN, so that the next start asks for a new one.")

        @OptionGroup var options: PracticeOptions
        @Flag(help: "Confirms that the PIN is to be removed.")
        var reset = false

        func validate() throws {
            if !reset { throw ValidationError("counter practice pin --reset removes the PIN") }
        }

        func run() throws { try options.start(["pin", "--reset"]) }
    }

    /// `counter practice erase`
    struct Erase: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase", abstract: "Erases all that is kept about a player.")

        @OptionGroup var options: PracticeOptions
        @Argument(help: "The player's name, or the name of a file such as player-1a2b.sqlite.")
        var name: String
        @Flag(help: "Do not ask.")
        var yes = false

        func run() throws { try options.start(["erase", name] + (yes ? ["--yes"] : [])) }
    }
}

/// Where practice keeps its files.
struct PracticeOptions: ParsableArguments {
    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            "The directory above the one of practice.", discussion: "Default: $XDG_DATA_HOME/counter",
            valueName: "dir"),
        completion: .directory)
    var dataDirectory: String?

    /// Becomes `counter-practice`. The corresponding C function is `execv(3)`.
    ///
    /// - Parameter words: the call, as `PracticeCall` reads it.
    /// - Throws: `Failure`, `SystemCallError`; otherwise it does not return.
    func start(_ words: [String]) throws {
        var layer: SettingLayer = [:]
        layer[.dataDirectory] = dataDirectory.map { Setting(values: [$0], origin: "--data-dir") }
        let settings = try Settings(layer)
        let path = try ProgramFiles.companion("counter-practice")
        var arguments = ([path, settings.dataDirectory] + words).map { strdup($0) }
        arguments.append(nil)
        execv(path, arguments)
        throw SystemCallError(call: "execv", subject: path)
    }
}
