import ArgumentParser
import Foundation

/// Writes the manual: a page for each command of a program, from its own help.
///
/// Reads what the program prints for `--experimental-dump-help` from standard input.
@main
struct CounterManual: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counter-manual", abstract: "Writes a page of the manual for each command of a program.")

    @Argument(help: "The directory that the pages are written to.") var directory: String
    @Option(help: "The version of the program.") var programVersion: String
    @Option(help: "The day of that version, such as 'November 21, 2026'.") var date: String
    @Option(help: "A file of further sections, in mdoc(7), for the first page.") var sections: String

    func run() throws {
        let program = try JSONDecoder().decode(
            ProgramHelp.self, from: FileHandle.standardInput.readDataToEndOfFile()
        ).command
        let further = try String(contentsOfFile: sections, encoding: .utf8)
        for page in ManualPage.pages(of: program) {
            let text = page.text(version: programVersion, date: date, further: page.isFirst ? further : "")
            try text.write(toFile: "\(directory)/\(page.name).1", atomically: false, encoding: .utf8)
        }
    }
}

/// What swift-argument-parser prints for `--experimental-dump-help`, version 0: as much of it as the manual needs.
struct ProgramHelp: Decodable {
    let command: CommandHelp
}

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
