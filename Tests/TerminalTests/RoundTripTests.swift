import Foundation
import TestSupport
import Testing

/// What is exported is taken in again, all of it, whatever a reason or a name holds.
@Suite struct RoundTripTests {
    private static let pieces = [
        "\n", "\r\n", "\"", "\"\"", "=", "=1+1", "+", "-", "@", ",", ";", "\t", "'", "\\", "\\n", " ", "  ",
        "\u{1B}[2J",
        "\u{9B}", "\u{0}", "\u{202E}", "\u{FEFF}", "é", "e\u{301}", "音", "👩‍👩‍👧", "{", "}", "null", "0", "a",
        "\u{2028}", "\u{85}", "\u{A0}", "#", "%", "/*", "-->", "\u{7F}",
    ]

    /// A text for an SQL statement.
    private static func quoted(_ text: String) -> String {
        let hex = text.utf8.map { String(format: "%02x", $0) }.joined()
        return "CAST(x'\(hex)' AS TEXT)"
    }

    /// A journal with a row for each of these reasons, as any earlier version may have taken them.
    private func journal(_ reasons: [String]) throws -> Workplace {
        let count = reasons.count
        let place = try Workplace.deaf()
        let lines = (0..<count).map { number in
            let event = event(number, number: number, device: "door \(number % 3)")
            return event.dropLast() + ",\"reason\":\"\(number)\"}\n"
        }
        let outcome = try place.run("import", "-", input: lines.joined())
        try #require(outcome.output == "accepted \(count), duplicate 0, conflict 0, refused 0\n")
        let cases = reasons.enumerated().map { "WHEN '\($0)' THEN \(Self.quoted($1))" }
        try place.rewrite("UPDATE journal SET text = CASE text \(cases.joined(separator: " ")) END")
        return place
    }

    @Test(arguments: ["csv", "jsonl"])
    func `Rows of any reason come out and go in again`(format: String) throws {
        var random = SplitMix64(seed: 41)
        for _ in 0..<Volume.of(sample: 3, full: 100) {
            let count = 200
            let reasons = (0..<count).map { _ in
                (0...random.below(6)).map { _ in random.element(of: Self.pieces) }.joined()
            }
            let place = try journal(reasons)
            let exported = try place.run("export", "--format", format)
            try #require(exported.status == .exited(0))
            let controls = exported.output.unicodeScalars.filter {
                $0.properties.generalCategory == .control && $0 != "\n"
            }
            #expect(controls.isEmpty)
            let new = try Workplace.deaf()
            let imported = try new.run("import", "-", input: exported.output)
            #expect(
                imported.output == "accepted \(count), duplicate 0, conflict 0, refused 0\n",
                "\(imported.errors)")
            let again = try new.run("export", "--format", format).output
            #expect(again.withoutRowIds == exported.output.withoutRowIds)
            #expect(
                try new.run("import", "-", input: exported.output).output
                    == "accepted 0, duplicate \(count), conflict 0, refused 0\n")
            let stored = try OutsideJournal(new).texts("SELECT text FROM journal ORDER BY position")
            #expect(stored == reasons.map(Self.shown))
        }
    }

    /// A reason as it is shown: each control character is a space.
    private static func shown(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(scalars)
    }
}

extension String {
    /// Exported lines without the rows' identities, which are those of the exporting journal.
    var withoutRowIds: String { replacing(/[0-9a-f]{32}:[0-9]+/, with: "") }
}
