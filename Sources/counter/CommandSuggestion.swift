import ArgumentParser
import System

extension CounterCommand {
    /// The question whether a similar subcommand was meant, for the argument parser's message about an argument that it
    /// did not expect; empty where no subcommand is similar.
    static func suggestion(for message: String, _ arguments: some Sequence<String>) -> String {
        guard message.hasPrefix("Unexpected argument '") else { return "" }
        var command: any ParsableCommand.Type = Self.self
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            if let next = subcommands.first(where: { $0.configuration.commandName == argument }) {
                command = next
            } else if message.contains("'\(argument)'") {
                return subcommands.compactMap { $0.configuration.commandName }.suggestion(for: argument)
            }
        }
        return ""
    }
}
