import Foundation
import TestSupport
import Testing

/// Output and exit status of the command line.
@Suite final class CommandLineTests: NewPlace {
    @Test
    func `Help is on standard output, at most 80 columns wide or as COLUMNS says, and touches nothing`()
        throws
    {
        // The lines of practice are too short to tell.
        let commands = try CommandDescription.program().all().filter { !$0.words.contains("practice") }
        #expect(commands.count > 30)
        for (words, _) in commands {
            func longest(_ columns: String?) throws -> Int {
                let outcome = try place.run(words.dropFirst() + ["--help"], environment: ["COLUMNS": columns])
                #expect(outcome.status == .exited(0) && outcome.errors == "", "\(words)")
                #expect(outcome.output.contains("USAGE: \(words.joined(separator: " "))"))
                return outcome.output.split(separator: "\n").map(\.count).max() ?? 0
            }
            let usual = try longest(nil)
            #expect(usual <= 80, "\(words)")
            #expect(try longest("60") <= 60, "\(words)")
            #expect(try longest("200") > usual, "\(words)")
        }
        #expect(try place.files() == [])
    }

    @Test func `Help fits into the terminal`() throws {
        let place = try Workplace.deaf(environment: ["COLUMNS": nil])
        let terminal = try place.open(
            [], by: ["sh", "-c", "\"$0\" day end --help; exec cat"], columns: 50, rows: 60)
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

    @Test(arguments: [
        ("nonsense", "Unexpected argument 'nonsense'"), ("import", "Missing expected argument '<file>'"),
        ("undo --redo --position 3", "--redo and --position exclude each other"),
    ])
    func `Usage errors end with 64 and tell the usage`(arguments: String, why: String) throws {
        let outcome = try place.run(arguments.split(separator: " ").map(String.init))
        expectFailure(outcome, 64, why, "Usage: counter", "--help' for more information")
        #expect(outcome.output == "")
        #expect(try place.files() == [])
    }

    @Test func `Changes by hand print the count, and one undo takes all of a change back`() throws {
        #expect(try place.run("add").output == "1\n")
        #expect(try place.run("add", "41").output == "42\n")
        #expect(try place.run("sub", "2").output == "40\n")
        #expect(try place.run("reset").output == "0\n")
        #expect(try place.run("undo").output == "40\n")
        #expect(try place.run("undo").output == "42\n")
        #expect(try place.run("undo").output == "1\n")
        #expect(try place.run("undo").output == "0\n")
        expectFailure(try place.run("undo"), 69, "there is nothing to undo")
        #expect(try place.show() == "0")
        #expect(try place.run("undo", "--redo").output == "1\n")
        let redone = try place.run("undo", "--redo")
        #expect(redone.output == "42\n" && redone.errors.contains("default: +41 of "))
        #expect(redone.errors.contains(" is back, Count 42"))
        try place.run("sub")
        expectFailure(try place.run("undo", "--redo"), 69, "there is nothing to redo", "counter history")
        #expect(try place.verify().status == .exited(0))
    }

    @Test(arguments: [("9223372036854775807", "add", "sub"), ("-9223372036854775808", "sub", "add")])
    func `A count that can go no further is refused and stays`(edge: String, over: String, back: String)
        throws
    {
        #expect(try place.run("reset", "--to=\(edge)").output == "\(edge)\n")
        expectFailure(try place.run(over), 65, "the count can go no further")
        #expect(try place.show() == edge)
        #expect(try place.run(back).status == .exited(0))
        #expect(try place.run(over).output == "\(edge)\n")
        #expect(try place.verify().status == .exited(0))
    }

    @Test
    func `Where nothing was counted yet the count is 0, but a directory that was named has to be there`()
        throws
    {
        let place = try Workplace.deaf(environment: ["COUNTER_DATA_DIR": nil])
        #expect(try place.run("show").output == "0\n")
        #expect(try jsonObject(try place.run("show", "--json").output)["count"] as? Int == 0)
        #expect(try place.files() == [])
        expectFailure(
            try place.run("show", "--data-dir", place.directory + "/x"), 66,
            "\(place.directory)/x/journal.sqlite: there is no journal", "--data-dir")
        for command in ["export", "verify"] {
            expectFailure(try place.run(command), 66, "there is no journal")
        }
        try place.run("add")
        #expect(try place.files() == [".local"])
        #expect(try place.run("show").output == "1\n")
    }

    @Test func `A source that has been seen is assigned, named, disabled and enabled`() throws {
        expectFailure(
            try place.run("device", "forget", "door-1"), 66, "'door-1' is known", "plugged in")
        try place.imports(["timestamp,delta,deviceId", "2026-01-14T13:03:59Z,1,door-1"])
        try place.run("location", "add", "Hall")
        for change in [
            ["assign", "door-1", "Hall"], ["rename", "door-1", "Front Door"], ["disable", "door-1"],
        ] {
            #expect(try place.run(["device"] + change).status == .exited(0))
        }
        let disabled = try jsonObject(try place.run("devices", "--json").output)
        #expect(disabled["deviceId"] as? String == "door-1")
        #expect(disabled["name"] as? String == "Front Door")
        #expect(disabled["locationId"] as? String == "Hall")
        #expect(disabled["state"] as? String == "disabled")
        #expect(disabled["isActive"] as? Bool == false)
        #expect(try place.run("device", "enable", "door-1").status == .exited(0))
        #expect(try place.run("device", "assign", "door-1").status == .exited(0))
        let enabled = try place.run("devices").output
        #expect(enabled.contains("Front Door  never seen  default   door-1"))
    }

    @Test func `Standard output that is closed or full is an error, with 74`() throws {
        try place.run("add", "3")
        for command in ["show", "export", "show --json", "add", "--help", "verify --help"] {
            let script = "exec \"$0\" \(command)"
            expectFailure(
                try place.run(script: script + " >&-"), 74, "standard output: Bad file descriptor")
            expectFailure(
                try place.run(script: script + " >/dev/full"), 74, "standard output: No space left on device")
        }
        // The count is unchanged.
        #expect(try place.show() == "5")
    }

    @Test func `Without a terminal the screens are refused, and nothing is made`() throws {
        expectFailure(
            try place.run([]), 69, "standard input is not a terminal; without one, use `counter listen`")
        #expect(try place.files() == [])
        let terminal = try place.open([], by: ["sh", "-c", "\"$0\" | cat; exec cat"])
        try terminal.waitForText("standard output is not a terminal")
    }
}

func jsonObject(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

/// The reference in docs/scripting.md names every command, and no option that does not exist.
@Suite struct ReferenceTests {
    @Test func `Each command stands in the reference, and each option there exists`() throws {
        let reference = try Self.reference()
        let commands = try CommandDescription.program().all()
        #expect(commands.count > 25)
        for (words, _) in commands where words.count > 1 {
            #expect(
                reference.contains { Self.names($0, words) },
                "\(words.joined(separator: " ")) is not in the reference")
        }
        for line in reference {
            let known = commands.filter { Self.names(line, $0.words) }.flatMap(\.command.options)
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
}

/// What bash offers when Tab is pressed.
@Suite struct CompletionTests {
    private func place() throws -> Workplace {
        let place = try Workplace.deaf()
        try place.imports(["timestamp,delta,deviceId", "2026-01-14T13:03:59Z,1,door-1"])
        try place.run("location", "add", "Main Hall", "--group", "East")
        return place
    }

    /// The words that bash offers at the end of a command line, sorted.
    private func offered(_ words: [String], in place: Workplace, environment: [String: String?] = [:]) throws
        -> [String]
    {
        let script = """
            source <("$0" --generate-completion-script bash)
            COMP_WORDS=("$0" "$@") COMP_CWORD=$# COMP_LINE="counter $*" COMP_TYPE=9
            COMP_POINT=${#COMP_LINE}
            function=$(complete -p counter | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            $function "$0" "${@: -1}" "${@: -2:1}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let outcome = try place.run(
            words, by: ["bash", "--norc", "-c", script], environment: environment)
        return outcome.output.split(separator: "\n").map(String.init).sorted()
    }

    @Test(arguments: [
        ("show --location ", ["Main\\ Hall", "default"]), ("show --location d", ["default"]),
        ("show --location M", ["Main\\ Hall"]), ("location set ", ["Main\\ Hall", "default"]),
        ("device disable ", ["door-1"]), ("device assign door-1 ", ["Main\\ Hall", "default"]),
        ("history --range to", ["today"]), ("history --range this", ["this\\ month", "this\\ week"]),
        ("history --by ", ["day", "hour", "minute", "week"]), ("history --group ", ["East"]),
        ("dev", ["device", "devices"]), ("history --ra", ["--range"]),
    ])
    func `Bash offers commands, options, locations, groups, devices and ranges`(
        line: String, offers: [String]
    )
        throws
    {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let offered = try offered(words, in: try place()).filter {
            line.hasSuffix(" -") || !$0.hasPrefix("--") || line.contains("--ra")
        }
        #expect(offered == offers)
    }

    @Test func `The journal that the command line names is the one that is asked`() throws {
        let place = try place()
        let words = ["show", "--data-dir", place.directory, "--location", "M"]
        #expect(try offered(words, in: place, environment: ["COUNTER_DATA_DIR": nil]) == ["Main\\ Hall"])
        let none = ["show", "--data-dir", place.directory + "/none", "--location", ""]
        #expect(try offered(none, in: place) == [])
        #expect(try !place.files().contains("none"), "completion creates nothing")
    }
}
