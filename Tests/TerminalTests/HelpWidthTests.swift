import TestSupport
import Testing

@Suite struct HelpWidthTests {
    private func longest(_ words: [String], _ environment: [String: String?]) throws -> Int {
        let outcome = try Workplace.deaf().run(words, environment: environment)
        #expect(outcome.status == .exited(0))
        return outcome.output.split(separator: "\n").map(\.count).max() ?? 0
    }

    @Test(arguments: CommandLineTests.commands)
    func `Help has at most 80 columns without a terminal, or as many as COLUMNS says`(command: String) throws
    {
        let words = command.split(separator: " ").map(String.init) + ["--help"]
        let usual = try longest(words, ["COLUMNS": nil])
        #expect(usual <= 80)
        #expect(try longest(words, ["COLUMNS": "60"]) <= 60)
        #expect(try longest(words, ["COLUMNS": "200"]) > usual)
    }

    @Test func `Help fits into the terminal`() throws {
        let place = try Workplace.deaf(environment: ["COLUMNS": nil])
        let terminal = try TerminalSession(
            ["sh", "-c", "\"$0\" day end --help; exec cat", BuiltProducts.counter], columns: 50, rows: 60,
            environment: place.environment)
        defer { terminal.close() }
        // The line is longer than the terminal, so it is broken between two options.
        let screen = try terminal.waitForText("Show help information")
        let usage = screen.lines.drop { !$0.hasPrefix("USAGE: counter day end") }.prefix { !$0.isEmpty }
        #expect(usage.count > 1)
        #expect(usage.dropFirst().allSatisfy { $0.hasPrefix("       [--") }, "\(usage)")
    }

    @Test func `A long usage in an error is wrapped too`() throws {
        let errors = try Workplace.deaf().run(["add", "1", "2"], environment: ["COLUMNS": nil]).errors
        #expect(errors.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(errors)")
        #expect(errors.contains("\n         [--"))
    }
}
