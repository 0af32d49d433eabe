/// A problem that prevents counting, with its remedy.
package struct Finding: Hashable, Sendable {
    /// The problem, on one line.
    package let problem: String
    /// The remedy, on one line; every finding has one.
    package let remedy: String
    /// The commands of the remedy, as far as commands suffice.
    package let commands: [RemedyCommand]

    /// A problem.
    package init(_ problem: String, remedy: String, commands: [RemedyCommand] = []) {
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
}
