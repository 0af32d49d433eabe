import TestSupport
import Testing

/// `counter-hub adapter`. What messages count: `AdaptersTests`.
@Suite struct AdapterCommandTests {
    private func run(_ words: [String], input: String = "") throws -> ChildProcess.Outcome {
        try ChildProcess.run(
            [BuiltProducts.counterHub, "adapter"] + words, environment: ["TZ": "UTC"], input: input)
    }

    @Test func `Messages as mosquitto_sub prints them are counted, and the others told`() throws {
        let input = """
            2026-11-22T10:00:00Z tele/door/SENSOR {"COUNTER":{"C1":100}}
            {"tst":"2026-11-22T10:05:00.000000+0000","topic":"tele/door/SENSOR","retain":0,"payload":{"COUNTER":{"C1":103}}}
            {"tst":"2026-11-22T10:06:00.000000Z+0000","topic":"tele/door/SENSOR","retain":1,"payload":"{\\"COUNTER\\":{\\"C1\\":1}}"}
            tele/door/STATE {"UptimeSec":5}
            tele/back/SENSOR {
              "COUNTER": {"C1": 7}
            }
            """
        let outcome = try run(["test", "tasmota", "--json"], input: input)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(
            lines[1].contains(
                #""deviceId":"tasmota:door","in":3,"out":0,"timestamp":"2026-11-22T10:05:00.000000Z","rule":"C8""#
            ))
        #expect(lines[2].contains(#""timestamp":"2026-11-22T10:06:00.000000Z","rule":"C2""#))
        #expect(lines[3].contains("no adapter is for tele/door/STATE"))
        #expect(lines[4].contains(#""deviceId":"tasmota:back""#))
        #expect(try run(["test", "tasmota"], input: input).output.hasSuffix("in 3, out 0\n"))
    }

    @Test func `What would be refused is an error, and so is a file with a mistake`() throws {
        let refused = try run(["test", "hikvision"], input: "<a>")
        #expect(refused.status == .exited(65))
        #expect(refused.output.contains("is no XML"))
        let folder = try ScratchFolder()
        try folder.write("doors.toml", "[adapter.x]\ntopik = 'a'\n")
        let wrong = try run(["test", folder.path(of: "doors.toml")])
        #expect(wrong.status == .exited(65))
        #expect(
            wrong.errors.contains(
                "doors.toml: adapter x: topik: there is no such key\n  Did you mean 'topic'?"))
        #expect(try run(["test", "tasmot"]).errors.contains("Did you mean 'tasmota'?"))
        #expect(try run(["list"]).output.contains("tele/{device}/SENSOR"))
    }
}
