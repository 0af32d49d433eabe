import System

/// A problem that prevents counting, with its remedy.
struct Finding {
    /// The problem, on one line.
    let problem: String
    /// The remedy, on one line; every finding has one.
    let remedy: String
    /// The commands of the remedy, as far as commands suffice.
    let commands: [RemedyCommand]

    init(_ problem: String, remedy: String, commands: [RemedyCommand] = []) {
        self.problem = problem
        self.remedy = remedy
        self.commands = commands
    }

    /// Nodes that this user may not open.
    init(_ problem: String, _ access: AccessRemedy) {
        let run = access.steps.map { "\($0.effect) \($0.command.text)" }
        self.init(
            problem, remedy: (run + [access.note].compactMap(\.self)).joined(separator: " "),
            commands: access.steps.map(\.command))
    }

    /// The error of a failed operation.
    init(_ error: any Error, remedy: String) {
        let failure = Failure(error)
        self.init(failure.message, remedy: failure.remedy ?? remedy)
    }
}
