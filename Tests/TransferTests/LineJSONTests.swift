import Glibc
import TestSupport
import Testing

@testable import CounterModel
@testable import Transfer

/// Which lines are valid JSON.
@Suite struct LineJSONTests {
    /// Before the line is the mark that some editors write first.
    @Test
    func `Texts lose their escapes, numbers stay as they are written, and null and parts count as missing`()
        throws
    {
        let line = #"""
            \#u{FEFF}{"timestamp":"a\u00e9\ud83d\ude00\n\"\/","delta":-1.50e+2,"continuesHold":true,"reason":"","userId":null,
             "deviceId":{"a":[1,{"b":"}"}]},"locationId":[],"unknown":"x"}
            """#
        let fields = try LineJSON.read(Array(line.replacing("\n", with: " ").utf8)[...]).fields
        #expect(
            fields == [.timestamp: "a\u{e9}\u{1F600}\n\"/", .delta: "-1.50e+2", .continuesHold: "true"])
    }

    /// Each line with its error and where that is.
    static let refused: [(line: String, why: String)] = [
        (#"{"delta":1,"delta":-1}"#, "delta occurs twice (column 12)"),
        (#"{"delta":1,"d\u0065lta":-1}"#, "delta occurs twice (column 12)"),
        (#"{"x":{"a":1,"a":2}}"#, "a occurs twice (column 13)"),
        (#"{"x":1,"x":2}"#, "x occurs twice (column 8)"),
        (#"{"x":[1 2]}"#, "is no JSON object (column 9)"),
        (#"{"x":[1,"y":1}"#, "is no JSON object (column 12)"),
        (#"{"x":[}]}"#, "is no JSON object (column 7)"),
        (#"{"x":{"a"}}"#, "is no JSON object (column 10)"),
        (#"{"x":[nul]}"#, "is no JSON object (column 7)"),
        (#"{"x":NaN}"#, "is no JSON object (column 6)"),
        (#"{"x":1e999}"#, "holds a number that is too large (column 6)"),
        (#"{"x":01}"#, "is no JSON object (column 7)"),
        (#"{"x":1.}"#, "is no JSON object (column 8)"),
        (#"{"x":"\ud800"}"#, "holds half a character (column 7)"),
        (#"{"x":"\q"}"#, "holds an unknown escape (column 7)"),
        ("{\"x\":\"a\tb\"}", "holds a bare control character (column 8)"),
        (#"{"x":1,}"#, "is no JSON object (column 8)"),
        (#"{"x":1}}"#, "is no JSON object (column 8)"),
        (#"{"x":1"#, "is no JSON object (column 7)"),
        (#"[{"x":1}]"#, "is no JSON object (column 1)"),
        ("", "is no JSON object (column 1)"),
    ]

    @Test(arguments: refused)
    func `What is no JSON object is refused with the column`(line: String, why: String) {
        #expect(throws: LineError(why: why)) { try LineJSON.read(Array(line.utf8)[...]) }
    }

    @Test func `What is no UTF-8 is refused wherever it stands`() {
        for line in [
            "{\"x\":\"?\"}", "{\"?\":1}", "{\"x\":[{\"y\":\"?\"}]}", "{\"x\":\"\\n?\"}", "{?\"x\":1}",
            "{\"x\":1}?",
        ] {
            let bytes = line.utf8.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
            #expect(throws: LineError.self, "\(line)") { try LineJSON.read(bytes[...]) }
        }
    }

    @Test func `Names that only look alike are two`() throws {
        let line = "{\"\u{e9}\":1,\"e\u{301}\":2,\"delta\":1}"
        #expect(try LineJSON.read(Array(line.utf8)[...]).fields == [.delta: "1"])
    }

    @Test func `What lies in one another too deeply is refused, and ends nothing`() {
        func line(_ levels: Int) -> [UInt8] {
            Array(
                ("{\"x\":" + String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
                    + "}").utf8)
        }
        #expect(throws: Never.self) { try LineJSON.read(line(LineJSON.deepest - 1)[...]) }
        #expect(throws: LineError.self) { try LineJSON.read(line(LineJSON.deepest)[...]) }
        #expect(throws: LineError.self) { try LineJSON.read(line(500_000)[...]) }
    }

    @Test func `It takes what a strict reading of RFC 8259 takes, and nothing else`() throws {
        var random = SplitMix64(seed: 0x8259)
        let script = #filePath.replacing("LineJSONTests.swift", with: "strict-json.py")
        var taken = 0
        for _ in 0..<(RandomJSON.cases / 20_000) {
            let lines = (0..<20_000).map { _ in RandomJSON.line(&random) }
            let input = lines.map(RandomJSON.hexadecimal).joined(separator: "\n")
            let expected = try ChildProcess.run(["python3", script], input: input).output
            try #require(expected.utf8.count == lines.count)
            for (line, verdict) in zip(lines, expected.utf8) {
                let isTaken = (try? LineJSON.read(line[...])) != nil
                try #require(
                    isTaken == (verdict == UInt8(ascii: "1")),
                    "\(String(decoding: line, as: UTF8.self)) \(line)")
                taken += isTaken ? 1 : 0
            }
        }
        // Valid and invalid lines both occur.
        #expect(RandomJSON.cases / 10...RandomJSON.cases * 9 / 10 ~= taken, "\(taken)")
    }
}
