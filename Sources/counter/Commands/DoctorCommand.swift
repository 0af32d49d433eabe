import ArgumentParser
import Glibc
import Linux
import Reports

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

    @OptionGroup var place: LocationOptions
    @OptionGroup var devices: InputDeviceOptions
    @OptionGroup var cues: CueOptions

    @Flag(
        help:
            "Carries the remedies out, after one question; key maps that a crash left changed are restored too."
    )
    var fix = false

    @Flag(help: "With --fix: asks nothing.") var yes = false

    @Flag(help: "Restores key maps that a crash left changed, and says which.") var repair = false

    @Flag(help: "Shows which server reads the keys, even without problems.") var verbose = false

    func validate() throws {
        if yes && !fix { throw ValidationError("--yes goes with --fix") }
        if repair && fix { throw ValidationError("--fix does what --repair does") }
    }

    func run() throws {
        if repair { return try Self.repair() }
        let settings = try Settings(place.layer, devices.layer, cues.layer, reportsMistakes: true)
        let checkup = Checkup(settings)
        try checkup.tell()
        if let server = checkup.devices.server, verbose || !checkup.diagnoses.isEmpty {
            try Output.line(server.text)
        }
        if checkup.diagnoses.isEmpty { return }
        if fix { return try checkup.fix(settings, isAgreed: yes) }
        if !checkup.commands.isEmpty {
            try Output.line("Asks once, runs what is above, and looks again:\n  \(Self.program) doctor --fix")
        }
        throw ExitCode(EX_UNAVAILABLE)
    }

    /// The program's name as the user called it, because it may not be in PATH yet.
    private static var program: String { CommandLine.arguments.first?.sanitised ?? "counter" }

    private static func repair() throws {
        let status = try runInForeground([try Paths.keyServer(), "repair"])
        if status != 0 { throw ExitCode(status) }
    }
}

/// One check of everything that counting needs.
private struct Checkup {
    let diagnoses: [Diagnosis]
    let devices: DeviceCheck

    /// Intercepts the devices for that moment.
    init(_ settings: Settings) {
        devices = DeviceCheck(settings, ignoring: JournalCheck.inactiveDevices(settings))
        diagnoses =
            settings.problems.map {
                let counting =
                    "\($0.setting == .step ? "add, sub, " : "")the screens, counter listen and timers"
                let stopped = $0.stopsAll ? "only doctor runs" : "\(counting) do not start"
                return Diagnosis(
                    $0.error.message,
                    note: ($0.error.remedy.map { "\($0) " } ?? "") + "Mend that line: until then \(stopped).")
            } + devices.diagnoses + TerminalCheck.diagnoses(settings) + JournalCheck.diagnoses(settings)
            + RingerCheck.diagnoses(settings) + SyncCheck.diagnoses(settings)
    }

    /// The commands of all remedies, each once.
    var commands: [RemedyCommand] {
        diagnoses.flatMap(\.steps).map(\.command).reduce(into: []) { all, command in
            if !all.contains(command) { all.append(command) }
        }
    }

    func tell() throws(ProgramError) {
        for diagnosis in diagnoses { try Output.line(diagnosis.text) }
    }

    private func leave() throws {
        if !diagnoses.isEmpty { throw ExitCode(EX_UNAVAILABLE) }
    }
}

// MARK: --fix

extension Checkup {
    /// Shows the commands, asks once unless it is agreed, runs them, and checks again. Throws `ProgramError`: 64 without a terminal
    /// to ask on, 69 if a command fails, 77 if this user cannot become root, or another user can change what a command does.
    func fix(_ settings: Settings, isAgreed: Bool) throws {
        if commands.isEmpty {
            try Output.line("No command fixes this: follow the remedies above.")
            return try leave()
        }
        for command in commands { try command.requireTrusted() }
        try Output.line("\nTo be run:\n" + commands.map { "  \($0.text)" }.joined(separator: "\n"))
        guard try isAgreed || Self.agrees() else {
            try Output.line("Nothing was changed.")
            return try leave()
        }
        for command in commands { try command.run() }
        try lookAgain(settings)
    }

    private static func agrees() throws(ProgramError) -> Bool {
        guard isatty(STDIN_FILENO) == 1 else {
            throw ProgramError(
                "--fix asks before it changes anything, and there is no terminal to ask on",
                remedy: "Add --yes to have these commands run without being asked.", status: EX_USAGE)
        }
        try Output.write("Run it now? [y/N] ", to: STDOUT_FILENO)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }

    private func lookAgain(_ settings: Settings) throws {
        let after = Checkup(settings)
        try Output.line("")
        for diagnosis in diagnoses
        where !after.diagnoses.contains(where: { $0.problem == diagnosis.problem }) {
            try Output.line("Mended: \(diagnosis.problem)")
        }
        if let server = after.devices.server, after.devices.serviceFault != devices.serviceFault {
            try Output.line(server.text)
        }
        if after.diagnoses.isEmpty { return try Output.line("No problem prevents counting now.") }
        try Output.line("Still not solved:")
        try after.tell()
        try after.leave()
    }
}
