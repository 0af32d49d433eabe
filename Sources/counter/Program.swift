import ArgumentParser
import Counting
import Glibc
import Linux
import Reports

/// The start and the end of the process: one command, and an exit code of `<sysexits.h>` for every result.
@main
enum Program {
    static func main() {
        Output.reserveStandardStreams()
        // A closed reader must be an error of write(2), not a fatal signal.
        signal(SIGPIPE, SIG_IGN)
        setlocale(LC_ALL, "")
        do {
            try requireText()
            if ["version", "-V"].contains(CommandLine.arguments.dropFirst().joined(separator: " ")) {
                return try Output.line(Version.current)
            }
            try requireCommandToExplain()
            // Without arguments there is nothing to parse, and the parser would take half of the start.
            if CommandLine.arguments.count > 1 { return try runCommand() }
            try WallClock.requireCredible()
            try CounterCommand.show(Settings())
        } catch {
            exit(report(error))
        }
    }

    /// Refuses arguments that are no text in UTF-8: as a text, a path would be another one.
    private static func requireText() throws(ProgramError) {
        for (index, before) in CommandLine.arguments.dropLast().enumerated() {
            let isOption = before.hasPrefix("--") && before != "--"
            try ProgramFiles.requireText(
                CommandLine.unsafeArgv[index + 1], isOption ? before : "argument \(index + 1)",
                status: EX_USAGE)
        }
    }

    /// Refuses help for a command that does not exist: the parser would explain all others.
    private static func requireCommandToExplain() throws(ProgramError) {
        guard CommandLine.arguments.dropFirst().first == "help" else { return }
        let path = CommandPath(CommandLine.arguments.dropFirst(2))
        guard let word = path.rest.first(where: { !$0.hasPrefix("-") }) else { return }
        throw ProgramError(
            "there is no command '\(word)'",
            remedy: "\(path.subcommands.suggestion(for: word))See 'counter --help' for all commands.",
            status: EX_USAGE)
    }

    private static func runCommand() throws {
        var command = try CounterCommand.parseAsRoot()
        if !(command is CounterCommand) {
            try requireOwnOptions()
            try requireNoOptionBeforeCommand()
        }
        try WallClock.requireCredible()
        try command.run()
    }

    /// The options that the argument parser answers itself, by a command of its own.
    private static let parserOptions = [
        "-h", "--help", "--version", "--generate-completion-script", "--experimental-dump-help",
    ]

    /// Refuses options before a subcommand: they are the screens' options, and the parser would drop them without a word.
    private static func requireNoOptionBeforeCommand() throws(ProgramError) {
        guard let first = CommandLine.arguments.dropFirst().first, first.hasPrefix("-"),
            !parserOptions.contains(where: first.hasPrefix)
        else { return }
        throw ProgramError(
            "\(first): options come after the command",
            remedy: CommandPath.example(CommandLine.arguments.dropFirst()).map { "For example: \($0.text)" },
            status: EX_USAGE)
    }

    /// Refuses options that the command does not have though the screens do: the parser would drop them without a word.
    private static func requireOwnOptions() throws(ProgramError) {
        let path = CommandPath(CommandLine.arguments.dropFirst())
        guard let option = path.foreignOption else { return }
        throw ProgramError("Unknown option '\(option)'", remedy: path.remedy(for: option), status: EX_USAGE)
    }

    private static func report(_ error: any Error) -> CInt {
        // The command has printed its own message.
        if let code = error as? ExitCode { return code.rawValue }
        let status = CounterCommand.exitCode(for: error).rawValue
        if status == EX_OK {
            let columns = HelpLayout.columns
            let text = CounterCommand.fullMessage(for: error, columns: columns)
            let isHelp = text.hasPrefix("OVERVIEW: ")
            do throws(ProgramError) {
                try Output.line(isHelp ? HelpLayout.wrapping(text, columns: columns) : text)
                return EX_OK
            } catch { return report(error) }
        }
        // The argument parser adds the command's usage to its own errors.
        let isOfParser = status == EX_USAGE && !(error is ProgramError)
        let failure = isOfParser ? usage(error) : ProgramError(error)
        Output.complain(failure)
        return failure.status
    }

    private static func usage(_ error: any Error) -> ProgramError {
        let message = CounterCommand.message(for: error)
        let mistake = Mistake(CommandLine.arguments.dropFirst(), message: message)
        // Help for a value is left out where the option itself does not exist.
        let usage = CounterCommand.fullMessage(for: error).split(separator: "\n").dropFirst()
            .drop { mistake.message != message && !$0.hasPrefix("Usage: ") }
            .filter { _ in !mistake.isOfAnotherCommand }
        // The suggestion ends in a space.
        let lines = [mistake.suggestion.dropLast()].filter { !$0.isEmpty } + usage
        let remedy = HelpLayout.wrapping(lines.joined(separator: "\n"), columns: HelpLayout.columns - 2)
        return ProgramError(mistake.message, remedy: remedy, status: EX_USAGE)
    }
}
