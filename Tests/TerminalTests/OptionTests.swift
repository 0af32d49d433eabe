import Foundation
import TestSupport
import Testing

/// The options that commands share with `counter` itself reach every command that has them, wherever they stand, and are refused by
/// the others. The commands are those of the program's own description of itself.
@Suite struct OptionTests {
    /// A command without subcommands.
    private struct Command {
        let path: [String]
        let options: [String]
        /// What it needs besides options of others.
        let arguments: [String]
        var words: [String] { path + arguments }
    }

    private let place: Workplace
    private let inherited: [String]
    private let commands: [Command]

    init() throws {
        place = try Workplace.deaf()
        // Something called 1, of each kind.
        for words in [
            ["add"], ["location", "add", "1"], ["timer", "start", "1h"], ["timer", "preset", "add", "5m"],
            ["device", "rename", "1", "door"],
        ] {
            try place.run(words)
        }
        let program = try CommandDescription.program()
        inherited = Self.options(of: program)
        try place.write("rows.csv", [])
        let file = "\(place.directory)/rows.csv"
        commands = program.all().dropFirst().filter { $0.command.subcommands?.isEmpty ?? true }.map {
            let path = Array($0.words.dropFirst())
            let positional = ($0.command.arguments ?? []).filter { $0.kind == "positional" && !$0.isOptional }
            let needed = path == ["import"] ? [file] : Self.needs[path.joined(separator: " ")]
            return Command(
                path: path, options: Self.options(of: $0.command),
                arguments: needed ?? positional.map { _ in "1" })
        }
    }

    private static func options(of command: CommandDescription) -> [String] {
        (command.arguments ?? []).filter { $0.kind != "positional" }.compactMap { argument in
            argument.names?.first { $0.kind == "long" }.map { "--\($0.name)" }
        }.filter { !["--help", "--version"].contains($0) }
    }

    /// What "1" does not do for.
    private static let needs = [
        "sync": ["--status"],
        "correct": ["=5", "--reason", "noon"], "practice pin": ["--reset"], "watch": ["--", "true"],
        "practice erase": ["Ada", "--yes"], "day end": ["--yes"],
        "location set": ["1", "--capacity", "5"],
    ]

    /// A value that is refused in words that name the option; nil for a flag, and for what is only looked up.
    private func badValue(of option: String) -> String? {
        switch option {
        case "--data-dir", "--location": ""
        case "--allow-network-filesystem", "--viewer", "--always", "--plain", "--device", "--start": nil
        default: "x"
        }
    }

    @Test func `There are commands, and options that they share`() {
        #expect(commands.count > 40 && inherited.count > 15)
        #expect(commands.filter { $0.options.contains("--data-dir") }.count == commands.count)
    }

    @Test func `Each option arrives at each command that has it, wherever it stands`() throws {
        for command in commands {
            for option in inherited where command.options.contains(option) {
                guard let value = badValue(of: option) else { continue }
                // Behind each word of the command, and at the end.
                let end = command.words.firstIndex(of: "--") ?? command.words.count
                for index in Set(Array(1...command.path.count) + [end]).sorted() {
                    var words = command.words
                    words.insert(contentsOf: [option, value], at: index)
                    let outcome = try place.run(words)
                    let isTold =
                        outcome.errors.contains("\(option): ") || outcome.errors.contains("location ''")
                    #expect(isTold && outcome.status != .exited(0), "\(words): \(outcome)")
                }
            }
        }
    }

    @Test func `An option that a command does not have is refused`() throws {
        let flags = ["--allow-network-filesystem", "--viewer", "--always", "--plain"]
        for (number, command) in commands.enumerated() {
            let foreign = inherited.filter { !command.options.contains($0) }
            let all = Volume.of(sample: 1, full: foreign.count)
            for index in 0..<min(all, foreign.count) {
                let option = foreign[(number + index) % foreign.count]
                let value = flags.contains(option) ? [] : ["1"]
                let words = command.path + [option] + value + command.arguments
                let outcome = try place.run(words)
                expectFailure(outcome, 64, "Unknown option '\(option)'")
            }
        }
    }

    /// Two that run until they are ended, and one that needs a terminal, are looked at below and in PracticeFileTests.
    private static let special = ["listen", "watch", "practice play"]

    @Test func `Where a directory is named, no command looks at another one`() throws {
        let named = try Workplace.deaf()
        try named.run("add", "5")
        try place.write("trap", [])
        let trap: [String: String?] = ["COUNTER_DATA_DIR": "\(place.directory)/trap"]
        for command in commands where !Self.special.contains(command.path.joined(separator: " ")) {
            let unnamed = try place.run(command.words, environment: trap)
            #expect("\(unnamed)".contains("trap"), "\(command.words): \(unnamed)")
            let words = command.words + ["--data-dir", named.directory]
            let outcome = try place.run(words, environment: trap)
            #expect(!"\(outcome)".contains("trap"), "\(words): \(outcome)")
        }
        #expect(place.bytes(of: "trap") == [])
    }

    @Test(arguments: [["listen"], ["watch"]])
    func `A command that runs on has its files in the directory that is named`(words: [String]) throws {
        let named = try Workplace.deaf()
        try named.run("add", "5")
        try place.write("trap", [])
        let child = try place.start(
            words + ["--data-dir", named.directory] + (words == ["watch"] ? ["--", "true"] : []),
            environment: ["COUNTER_DATA_DIR": "\(place.directory)/trap"])
        let folder = "/proc/\(child.process.pid)/fd"
        try eventually("the journal to be open") {
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            return files.contains {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
                return target?.hasPrefix(named.directory + "/journal") ?? false
            }
        }
    }

    @Test func `With --viewer no command changes the journal`() throws {
        let before = try place.run("export", "--format", "jsonl", "--all").output
        for command in commands where !Self.special.contains(command.path[0]) && command.path[0] != "practice"
        {
            let end = command.words.firstIndex(of: "--") ?? command.words.count
            var words = command.words
            words.insert("--viewer", at: end)
            if command.options.contains("--viewer") { try place.run(words) }
        }
        #expect(try place.run("export", "--format", "jsonl", "--all").output == before)
    }
}
