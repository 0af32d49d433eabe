import ArgumentParser
import Glibc
import Linux
import Reports

/// A question at the terminal, before a command changes what is hard to see again.
enum Confirmation {
    /// Asks, and returns only where the answer is yes.
    ///
    /// - Parameters:
    ///   - question: What would be done, and the question, without its choices.
    ///   - command: The command that does it without a question.
    /// - Throws: `ProgramError` (64) where standard input is no terminal, `ExitCode` (1) where the answer is not yes.
    static func require(_ question: String, without command: RemedyCommand) throws {
        guard isatty(STDIN_FILENO) != 0 else {
            throw ProgramError(
                "confirmation needed: use --yes", remedy: "Without a question: \(command.text)",
                status: EX_USAGE)
        }
        try Output.write("\(question.quotable) [y/N] ", to: STDERR_FILENO)
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            Output.complain(ProgramError("nothing was changed", status: EX_OK))
            throw ExitCode.failure
        }
    }
}
