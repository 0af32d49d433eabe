import ArgumentParser
import CLinux
import Glibc
import Linux
import Reports

enum HelpLayout {
    /// The argument parser's own columns need this width.
    private static let narrowest = 40

    /// The available width: `COLUMNS`, else that of the terminal on standard output, else 80.
    static var columns: Int {
        if let text = environmentVariable("COLUMNS"), let columns = Int(text), columns > 0 {
            return max(narrowest, columns)
        }
        var (columns, rows): (CInt, CInt) = (0, 0)
        guard clinux_window_size(STDOUT_FILENO, &columns, &rows) == 0, columns > 0 else { return 80 }
        return max(narrowest, Int(columns))
    }

    /// Wraps the lines that the argument parser leaves long: the usage, and the reference to other help.
    static func wrapping(_ text: String, columns: Int = columns) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            let margin = line.prefix { $0 == " " }.count
            let isUsage = line.lowercased().hasPrefix("usage: ")
            guard line.count > columns, isUsage || line.dropFirst(margin).hasPrefix("See '") else {
                return String(line)
            }
            return wrapped(line, columns: columns, indent: isUsage ? 7 : margin)
        }.joined(separator: "\n")
    }

    /// Breaks a line between arguments; `[--location <name>]` is one.
    private static func wrapped(_ line: Substring, columns: Int, indent: Int) -> String {
        var lines: [String] = []
        var current = String(line.prefix { $0 == " " })
        for argument in arguments(of: line) {
            let isFirst = current.allSatisfy { $0 == " " }
            if isFirst || current.count + 1 + argument.count <= columns {
                current += (isFirst ? "" : " ") + argument
            } else {
                lines.append(current)
                current = String(repeating: " ", count: indent) + argument
            }
        }
        return (lines + [current]).joined(separator: "\n")
    }

    private static func arguments(of line: Substring) -> [String] {
        line.split(separator: " ").reduce(into: []) { result, word in
            // Inside brackets, the word belongs to the argument before it.
            guard let last = result.last, last.hasPrefix("["), !last.contains("]" as Character) else {
                return result.append(String(word))
            }
            result[result.count - 1] += " " + word
        }
    }
}

/// A command line that the argument parser refused, with what may have been meant.
struct Mistake {
    /// What is wrong. An option that does not exist is named before the parser's message, which may be of its value.
    let message: String
    /// The question whether something similar was meant; empty where nothing is similar.
    let suggestion: String
    /// The suggestion is another command, whose usage differs.
    let isOfAnotherCommand: Bool

    /// Of a command line without the program's name, with the parser's message.
    init(_ arguments: some Sequence<String>, message: String) {
        let path = CommandPath(arguments)
        let other = path.otherCommand
        isOfAnotherCommand = other != nil
        let isExplained = message.includes("Did you mean")
        var (told, advice) = (message, "")
        if let other {
            advice = "Did you mean '\(other.text)'? "
        } else if let number = path.negativeNumber {
            told = "Unknown option '\(number)'"
            advice = "To count down: counter sub \(number.dropFirst()). "
        } else if let option = path.unknownOption,
            case let meant = path.suggestion(for: option), !meant.isEmpty || !isExplained
        {
            (told, advice) = ("Unknown option '\(option)'", meant)
        } else if !isExplained, let word = path.rest.first(where: { message.includes("'\($0)'") }),
            message.lowercased().includes("unexpected argument")
        {
            advice = path.subcommands.suggestion(for: word)
        }
        (self.message, suggestion) = (told, advice)
    }
}

/// The subcommand that a command line names, and the arguments for it.
struct CommandPath {
    private var command: any ParsableCommand.Type = CounterCommand.self
    private var names = ["counter"]
    /// The arguments that name no subcommand, up to `--`.
    private(set) var rest: [String] = []

    init(_ arguments: some Sequence<String>) {
        for argument in arguments.prefix(while: { $0 != "--" }) {
            let next = command.configuration.subcommands.first {
                $0.configuration.commandName == argument || $0.configuration.aliases.contains(argument)
            }
            guard let next else {
                rest.append(argument)
                continue
            }
            command = next
            names.append(argument)
        }
    }

    /// The command line with what stands before the first command moved behind it; nil where it names no command.
    static func example(_ arguments: some Sequence<String>) -> RemedyCommand? {
        let (words, known) = (Array(arguments), CommandPath([]).subcommands)
        return words.firstIndex(where: known.contains).map { index in
            RemedyCommand(["counter"] + words[index...] + words[..<index])
        }
    }

    /// The command that does what was typed as a command that does not exist.
    fileprivate var otherCommand: RemedyCommand? {
        switch (names.last, rest.first) {
        case ("device", "list"): RemedyCommand(["counter", "devices"])
        case ("location", "rename") where rest.count == 3:
            RemedyCommand(["counter", "location", "set", rest[1], "--name", rest[2]])
        case ("location", "rename"): RemedyCommand(["counter", "location", "set", "NAME", "--name", "NEW"])
        default: nil
        }
    }

    /// A number below zero that was given to `add`.
    fileprivate var negativeNumber: String? {
        names == ["counter", "add"] ? rest.first { Int($0).map { $0 < 0 } ?? false } : nil
    }

    /// The first option that the command does not have. The parser takes the options of `counter` itself for all commands.
    var foreignOption: String? {
        lazy var known = options
        return given.first { !known.contains($0) }
    }

    func remedy(for option: String) -> String {
        "\(suggestion(for: option))See '\(names.joined(separator: " ")) --help' for more information."
    }

    /// The question whether a similar option was meant; empty where none is similar.
    fileprivate func suggestion(for option: String) -> String {
        let meant = options.beginning(with: option) ?? options.nearest(to: option)
        return meant.map { "Did you mean '\($0)'? " } ?? ""
    }

    /// The long options on the command line.
    private var given: [String] {
        rest.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
    }

    /// The names of the commands below the one that was found.
    var subcommands: [String] {
        command.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    fileprivate var options: [String] {
        [command, command.configuration.defaultSubcommand].compactMap { $0 }.flatMap(Self.options)
    }

    // The argument parser has no list of its options except the help.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
        let lines = CounterCommand.helpMessage(for: command, columns: 1000).split(separator: "\n")
        return lines.filter { $0.hasPrefix("  -") }.flatMap { line in
            line.split { " ,/".contains($0) }.prefix(2).filter { $0.hasPrefix("--") }.map(String.init)
        }
    }

    /// The first option that neither the command nor `counter` itself has.
    fileprivate var unknownOption: String? {
        let known = options + Self.options(of: CounterCommand.self)
        return given.first { !known.contains($0) && !$0.hasPrefix("--generate-") }
    }
}

extension [String] {
    /// The only option that begins so, where some letters of it were typed.
    fileprivate func beginning(with option: String) -> String? {
        let found = Set(filter { $0.hasPrefix(option) })
        return option.count >= 5 && found.count == 1 ? found.first : nil
    }
}

extension String {
    /// Whether the text is part of it. `contains(_:)` would be Foundation's here, which the argument parser imports, and
    /// would link all of it: 45 MB.
    fileprivate func includes(_ text: String) -> Bool { indices.contains { self[$0...].hasPrefix(text) } }
}
