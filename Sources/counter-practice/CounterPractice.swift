import CounterTUI
import Glibc
import Linux
import Practice

/// The version; the same as `counter`'s.
enum PracticeVersion {
    static let current = "0.2.0"
}

/// `counter-practice DIRECTORY CALL`: the start and the end of the process.
@main
enum CounterPractice {
    static func main() {
        Output.reserveStandardStreams()
        signal(SIGPIPE, SIG_IGN)
        setlocale(LC_ALL, "")
        umask(0o077)
        ProgramFiles.forgetForeignRuntimeDirectory()
        do { exit(try run(CommandLine.arguments.dropFirst())) } catch { exit(report(error)) }
    }

    private static func run(_ arguments: ArraySlice<String>) throws -> CInt {
        guard let directory = arguments.first, let call = PracticeCall(arguments.dropFirst()) else {
            throw ProgramError(
                "counter-practice is started by counter practice",
                remedy: "counter practice --help tells how.", status: EX_USAGE)
        }
        let folder = PracticeFolder(below: directory)
        switch call {
        case .play(let speaks): try play(folder, speaks: speaks)
        case .report(let name): return try PracticeCommands.report(folder, of: name)
        case .resetPIN: try PracticeCommands.resetPIN(folder)
        case .erase(let name, let asks): try PracticeCommands.erase(folder, name, asks: asks)
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
            case let failure as ProgramError: failure
            case let error as StoreError: error.failure
            case let error as TerminalError: ProgramError("\(error)", remedy: error.remedy, status: EX_OSERR)
            case let error as SystemCallError:
                ProgramError("\(error)", remedy: remedy(forLimit: error.errno), status: EX_OSERR)
            default: ProgramError("\(error)", status: EX_OSERR)
            }
        Output.complain(failure)
        return failure.status
    }
}

/// What the program is asked to do. `counter practice` has read the command line for people, and passes this:
///
/// | words after the data directory | do |
/// |---|---|
/// | `play`, `play --voice` | open the screens |
/// | `report`, `report NAME` | print the reports |
/// | `pin --reset` | remove the PIN |
/// | `erase NAME`, `erase NAME --yes` | erase a player |
enum PracticeCall: Hashable {
    case play(speaks: Bool)
    case report(name: String?)
    case resetPIN
    case erase(name: String, asks: Bool)

    /// Reads the words after the data directory; `nil` where they are none of the table.
    init?(_ words: ArraySlice<String>) {
        let rest = Array(words.dropFirst())
        switch (words.first, rest.count) {
        case ("play", 0): self = .play(speaks: false)
        case ("play", 1) where rest[0] == "--voice": self = .play(speaks: true)
        case ("report", 0...1): self = .report(name: rest.first)
        case ("pin", 1) where rest[0] == "--reset": self = .resetPIN
        case ("erase", 1): self = .erase(name: rest[0], asks: true)
        case ("erase", 2) where rest[1] == "--yes": self = .erase(name: rest[0], asks: false)
        default: return nil
        }
    }
}

extension StoreError {
    var failure: ProgramError { ProgramError("\(self)", remedy: remedy, status: status) }

    private var status: CInt {
        switch reason {
        case .diskFull, .failed: EX_IOERR
        case .notPermitted: EX_NOPERM
        case .corrupt, .otherPlayer, .newer: EX_DATAERR
        case .inUse: EX_UNAVAILABLE
        case .tooManyFiles: EX_OSERR
        }
    }
}
