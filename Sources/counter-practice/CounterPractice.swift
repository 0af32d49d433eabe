import CounterTUI
import Glibc
import Linux
import Practice

/// The start and the end of the process. `counter practice` has read the command line for people, and passes the data directory
/// and these words:
///
/// | words | do |
/// |---|---|
/// | `play`, `play --voice` | open the screens |
/// | `report`, `report NAME` | print the reports |
/// | `pin --reset` | remove the PIN |
/// | `erase NAME`, `erase NAME --yes` | erase a player |
@main
enum CounterPractice {
    static func main() {
        Output.reserveStandardStreams()
        signal(SIGPIPE, SIG_IGN)
        setlocale(LC_ALL, "")
        umask(0o077)
        ProgramFiles.forgetForeignRuntimeDirectory()
        do { exit(try run(Array(CommandLine.arguments.dropFirst()))) } catch { exit(report(error)) }
    }

    private static func run(_ arguments: [String]) throws -> CInt {
        let folder = PracticeFolder(below: arguments.first ?? "")
        let words = arguments.dropFirst(2)
        switch (arguments.dropFirst().first, words.count) {
        case ("play", 0): try play(folder, speaks: false)
        case ("play", 1) where words == ["--voice"]: try play(folder, speaks: true)
        case ("report", 0...1): return try PracticeCommands.report(folder, of: words.first)
        case ("pin", 1) where words == ["--reset"]: try PracticeCommands.resetPIN(folder)
        case ("erase", 1): try PracticeCommands.erase(folder, words[2], asks: true)
        case ("erase", 2) where words[3] == "--yes": try PracticeCommands.erase(folder, words[2], asks: false)
        default:
            throw ProgramError(
                "counter-practice is started by counter practice",
                remedy: "counter practice --help tells how.", status: EX_USAGE)
        }
        return EX_OK
    }

    private static func play(_ folder: PracticeFolder, speaks: Bool) throws {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO] where isatty(descriptor) == 0 {
            throw ProgramError(
                "standard \(descriptor == 0 ? "input" : "output") is not a terminal",
                remedy: "Practice needs one.", status: EX_UNAVAILABLE)
        }
        // Signals are blocked before a thread may start.
        let signals = try SignalDescriptor(PracticeProgram.signals)
        try folder.take()
        try PracticeProgram(folder, speaks: speaks, signals: signals).run()
    }

    private static func report(_ error: any Error) -> CInt {
        let failure =
            switch error {
            case let error as TerminalError:
                ProgramError("\(error)", remedy: error.failure.remedy, status: EX_OSERR)
            default: ProgramError(error)
            }
        Output.complain(failure)
        return failure.status
    }
}
