import Foundation
import TestSupport
import Testing

/// The reference in docs/scripting.md names every command, and no option that does not exist.
@Suite struct ReferenceTests {
    @Test func `Each command stands in the reference, and each option there exists`() throws {
        let reference = try Self.reference()
        let commands = try Self.commands()
        #expect(commands.count > 25)
        for (words, _) in commands where words.count > 1 && words != ["counter", "help"] {
            #expect(
                reference.contains { Self.names($0, words) },
                "\(words.joined(separator: " ")) is not in the reference")
        }
        for line in reference {
            let known = commands.filter { Self.names(line, $0.words) }.flatMap(\.options)
            for option in line.matches(of: /--([a-z][a-z-]+)/) where line.hasPrefix("counter ") {
                #expect(known.contains(String(option.1)), "--\(option.1) is no option of: \(line)")
            }
        }
    }

    /// The lines of the reference's first block, each with the indented ones that follow it.
    private static func reference() throws -> [String] {
        let page = try String(contentsOfFile: "docs/scripting.md", encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## Reference\n").dropFirst().first)
        let block = section.split(separator: "\n", omittingEmptySubsequences: false).drop { $0.isEmpty }
            .prefix { $0.isEmpty || $0.hasPrefix("    ") }
        return block.reduce(into: []) { lines, line in
            if line.hasPrefix("      "), !lines.isEmpty {
                lines[lines.count - 1] += "   " + line.trimmingCharacters(in: .whitespaces)
            } else if !line.isEmpty {
                lines.append(line.trimmingCharacters(in: .whitespaces))
            }
        }
    }

    /// Whether a line of the reference is about a command; `a|b` and `a | b` are alternatives. Two spaces end the command.
    private static func names(_ line: String, _ words: [String]) -> Bool {
        let found = Set(line.components(separatedBy: "   ")[0].split { " |[]".contains($0) }.map(String.init))
        return line.hasPrefix("counter ") && words.allSatisfy { found.contains($0) }
    }

    private static func commands() throws -> [(words: [String], options: [String])] {
        let help = try ChildProcess.run([BuiltProducts.counter, "--experimental-dump-help"]).output
        return walk(try #require(try jsonObject(help)["command"] as? [String: Any]), [])
    }

    private static func walk(_ command: [String: Any], _ above: [String]) -> [(
        words: [String], options: [String]
    )] {
        let words = above + [command["commandName"] as? String ?? ""]
        let options = (command["arguments"] as? [[String: Any]] ?? [])
            .flatMap { $0["names"] as? [[String: Any]] ?? [] }.compactMap { $0["name"] as? String }
        let below = (command["subcommands"] as? [[String: Any]] ?? []).flatMap { walk($0, words) }
        return [(words, options)] + below.filter { $0.words.last != "help" }
    }
}
