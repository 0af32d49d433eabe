import ArgumentParser
import Glibc
import Linux

/// Another program, which this process becomes. It has files of its own below the data directory.
struct PracticeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "practice",
        abstract: "Learn to press your two keys: counts, patterns and labyrinths for a child or a beginner.",
        discussion: """
            Up goes on, down goes back, both keys together choose; both held for two seconds lead home. One key held for a second \
            chooses too, for three it leads home. The arrow keys, Enter, Escape and clicks do the same. Everything stays in one \
            directory of this machine.
            """,
        subcommands: [Play.self, Report.self, PIN.self, Erase.self], defaultSubcommand: Play.self)

    struct Play: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "play", abstract: "Opens the screens (default).")

        @OptionGroup var directory: DataDirectoryOptions
        @Flag(help: "Speak every text through speech-dispatcher, this time.") var voice = false

        func run() throws { try directory.startPractice(["play"] + (voice ? ["--voice"] : [])) }
    }

    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report", abstract: "Prints what each player has played, as text; cron can mail it.")

        @OptionGroup var directory: DataDirectoryOptions
        @Argument(help: "Only the player of this name.") var name: String?

        func run() throws { try directory.startPractice(["report"] + (name.map { [$0] } ?? [])) }
    }

    struct PIN: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pin",
            abstract: "Removes the grown-up's PIN, so that the next start asks for a new one.")

        @OptionGroup var directory: DataDirectoryOptions
        @Flag(help: "Confirms that the PIN is to be removed.") var reset = false

        func validate() throws {
            if !reset { throw ValidationError("counter practice pin --reset removes the PIN") }
        }

        func run() throws { try directory.startPractice(["pin", "--reset"]) }
    }

    struct Erase: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase", abstract: "Erases all that is kept about a player.")

        @OptionGroup var directory: DataDirectoryOptions
        @Argument(help: "The player's name, or the name of a file such as player-1a2b.sqlite.")
        var name: String
        @Flag(help: "Do not ask.") var yes = false

        func run() throws { try directory.startPractice(["erase", name] + (yes ? ["--yes"] : [])) }
    }
}

extension DataDirectoryOptions {
    /// Becomes `counter-practice`; `words` are the call, as it reads them.
    fileprivate func startPractice(_ words: [String]) throws {
        try ProgramFiles.become("counter-practice", [Settings(layer).dataDirectory] + words)
    }
}
