import ArgumentParser
import CounterTUI
import Glibc
import System

/// `counter doctor`: the problems that prevent counting here.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Names what stands in the way of counting here, each with its remedy.",
        discussion: """
            Looks at the devices and who holds them, the terminal, the locale and the journal. The devices are held for \
            a moment, as counting does it. Where something stands in the way it also tells whether the system's service hears
            the keys, or a program of your own.

            With --fix it shows the commands that are remedies, runs them after one question (as root by sudo or pkexec), \
            and looks again.

            Says nothing and exits 0 where nothing stands in the way. Exits 69 where something does, or still does after
            --fix, or a command of --fix failed; 64 where --fix can ask nobody; 77 where nothing makes you root.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions
    @OptionGroup var listening: ListeningOptions

    @Flag(
        help:
            "Carries the remedies out, after one question; key maps that a crash left swapped are restored too."
    )
    var fix = false

    @Flag(help: "With --fix: asks nothing.")
    var yes = false

    @Flag(help: "Restores key maps that a crash left remapped, and says which.")
    var repair = false

    @Flag(help: "Tells who hears the keys where nothing stands in the way too.")
    var verbose = false

    func validate() throws {
        if yes && !fix { throw ValidationError("--yes goes with --fix") }
        if repair && fix { throw ValidationError("--fix does what --repair does") }
    }

    func run() throws {
        if repair { return try Self.repair() }
        let settings = try Settings(journal.layer, place.layer, listening.layer)
        let checkup = Checkup(settings)
        try checkup.tell()
        if let server = checkup.server, verbose || !checkup.findings.isEmpty { try Output.line(server.text) }
        if checkup.findings.isEmpty { return }
        if fix { return try Fix(settings: settings, before: checkup).carryOut(isAgreed: yes) }
        if !checkup.commands.isEmpty {
            try Output.line("Asks once, runs what is above, and looks again:\n  \(Self.program) doctor --fix")
        }
        throw ExitCode(EX_UNAVAILABLE)
    }

    /// The program's name as the user called it, because it may not be in PATH yet.
    private static var program: String { CommandLine.arguments.first?.sanitised ?? "counter" }

    private static func repair() throws {
        let status = try ForegroundProcess.run([try Paths.keyServer(), "repair"])
        if status != 0 { throw ExitCode(status) }
    }
}
