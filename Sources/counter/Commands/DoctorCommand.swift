import ArgumentParser
import CounterTUI
import Glibc
import Linux
import Reports

/// `counter doctor`: the problems that prevent counting here.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Names the problems that prevent counting here, each with its remedy.",
        discussion: """
            Checks the devices and which programs intercept them, the terminal, the locale and the journal. The devices \
            are intercepted for a moment, as for counting. Where there are problems it also shows whether the system's \
            service or your own process reads the keys.

            With --fix it shows the commands that are remedies, runs them after one question (as root by sudo or pkexec), \
            and looks again.

            Prints nothing and exits 0 where no problem prevents counting. Exits 69 where one does, also after --fix, or \
            where a command of --fix failed; 64 where --fix has no terminal to ask on; 77 where it cannot become root.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions
    @OptionGroup var listening: ListeningOptions

    @Flag(
        help:
            "Carries the remedies out, after one question; key maps that a crash left changed are restored too."
    )
    var fix = false

    @Flag(help: "With --fix: asks nothing.")
    var yes = false

    @Flag(help: "Restores key maps that a crash left changed, and says which.")
    var repair = false

    @Flag(help: "Shows which server reads the keys, even without problems.")
    var verbose = false

    func validate() throws {
        if yes && !fix { throw ValidationError("--yes goes with --fix") }
        if repair && fix { throw ValidationError("--fix does what --repair does") }
    }

    func run() throws {
        if repair { return try Self.repair() }
        let settings = try Settings(journal.layer, locationOption.layer, listening.layer)
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
