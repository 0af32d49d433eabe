import TestSupport
import Testing

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
        let outcome = try ChildProcess.run(
            ["bash", "--norc", "-c", script, BuiltProducts.counter] + words,
            environment: place.environment.merging(environment) { $1 })
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
