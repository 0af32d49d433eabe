import System

/// Something that stands in the way of counting, and what to do about it.
struct Finding {
    /// What it is, on one line.
    let problem: String
    /// What to do, on one line; every finding has something.
    let remedy: String
    /// The commands that do that, as far as commands can.
    let commands: [RemedyCommand]

    init(_ problem: String, remedy: String, commands: [RemedyCommand] = []) {
        self.problem = problem
        self.remedy = remedy
        self.commands = commands
    }

    /// Nodes that are closed to this user.
    init(_ problem: String, _ access: AccessRemedy) {
        let run = access.steps.map { "\($0.effect) \($0.command.text)" }
        self.init(
            problem, remedy: (run + [access.note].compactMap(\.self)).joined(separator: " "),
            commands: access.steps.map(\.command))
    }

    /// What an operation that failed says.
    init(_ error: any Error, remedy: String) {
        let failure = Failure(error)
        self.init(failure.message, remedy: failure.remedy ?? remedy)
    }
}
