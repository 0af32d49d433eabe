/// What swift-argument-parser prints for `--experimental-dump-help`, version 0: as much of it as the manual needs.
struct ProgramHelp: Decodable {
    let command: CommandHelp
}

/// A command's help.
struct CommandHelp: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let arguments: [ArgumentHelp]?
    let subcommands: [CommandHelp]?

    /// The commands below this one that have a page: all but `help`, which the parser adds.
    var documented: [CommandHelp] { (subcommands ?? []).filter { $0.commandName != "help" } }

    /// The arguments that `--help` shows.
    var displayed: [ArgumentHelp] { (arguments ?? []).filter(\.shouldDisplay) }
}

/// An argument's help.
struct ArgumentHelp: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    /// One of an argument's names, such as `-h` or `--help`.
    struct Name: Decodable {
        enum Kind: String, Decodable { case long, short, longWithSingleDash }

        let kind: Kind
        let name: String
    }

    let kind: Kind
    let names: [Name]?
    let valueName: String?
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool
    let isOptional: Bool
    let isRepeating: Bool
}
