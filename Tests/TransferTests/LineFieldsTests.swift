import TestSupport
import Testing

@testable import CounterModel
@testable import CounterStore
@testable import Transfer

/// The request in a line, by whatever transport it comes.
@Suite struct LineFieldsTests {

    private func row(_ members: String) throws -> JournalRow {
        let origin = #""journal":"j","position":1,"receivedAt":"2026-01-14T13:03:59Z""#
        let line = #"{\#(origin),"locationId":"hall","timestamp":"2026-01-14T13:03:59Z",\#(members)}"#
        return try LineFields(json: Array(line.utf8)[...]).row()
    }

    @Test func `A correction goes through a feed as it is`() throws {
        let row = JournalRow(
            id: Position(7), origin: .journal(RowIdentity(journalId: "j", position: Position(7))),
            locationId: "hall", userId: "ada", timestamp: Timestamp(seconds: 1_768_395_838),
            receivedAt: Timestamp(seconds: 1_768_395_839),
            .correction(Correction(by: -5, deviceId: "terminal", reason: "I counted 45")))
        let text = FeedRow(row: row, level: 45, journalId: "j", isOccupancy: false).line
        #expect(text.hasPrefix(#"{"type":"correction","#))
        #expect(text.contains(#""delta":-5,"deviceId":"terminal","source":"manual","reason":"I counted 45""#))
        #expect(try LineFields(json: Array(text.utf8)[...]).row() == row)
    }

    /// Rows of other journals, and what is wrong with each.
    static let refused: [(members: String, why: String)] = [
        (#""type":"setting","setting":"timezone","text":"Mars\u001b""#, "text holds a control character"),
        (
            #""type":"setting","setting":"name","text":"a\u0007""#,
            "setting 'name' is unknown, or cannot be so"
        ),
        (
            #""type":"setting","setting":"capacity","text":"0""#,
            "setting 'capacity' is unknown, or cannot be so"
        ),
        (
            #""type":"in","source":"manual","deviceId":"a","reason":"by\nhand""#,
            "reason holds a control character"
        ),
        (
            #""type":"correction","delta":0,"source":"manual","deviceId":"a","reason":"why""#,
            "a correction is 1 to 1,000,000,000, up or down"
        ),
        (
            #""type":"in","source":"manual","deviceId":"a","continuesHold":"maybe""#,
            "continuesHold is true or false, not 'maybe'"
        ),
        (#""type":"in","source":"hardware","deviceId":"door\u001b""#, "deviceId holds a control character"),
        (#""type":"reset","value":1,"deviceId":"\u0085""#, "deviceId holds a control character"),
        (
            #""type":"in","source":"hardware","deviceId":"a","userId":"\u009b""#,
            "userId holds a control character"
        ),
        (#""type":"void","target":1,"targetJournal":"j\u001b""#, "targetJournal holds a control character"),
        (
            #""type":"reset","value":1,"orderedAt":"2026-01-14T13:03:58Z""#,
            "orderedAt is before the time at which it counts"
        ),
        (
            #""type":"reset","value":1,"orderedAt":"0000-01-01T00:00:00+14:00""#,
            "orderedAt is not in the years 0 to 9999"
        ),
        (snapshot(in: "-1"), "no day can have ended with these figures"),
        (snapshot(peakIn: "0"), "no day can have ended with these figures"),
        (snapshot(average: "1e308"), "no day can have ended with these figures"),
        (snapshot(average: "\"nan\""), "averageOccupancy is a number, without quotation marks"),
        (snapshot(average: "\"inf\""), "averageOccupancy is a number, without quotation marks"),
        (snapshot(average: "\"many\""), "averageOccupancy is a number, without quotation marks"),
    ]

    private static let deviceRule =
        "has 1 to 200 bytes, at least one visible character, and no control or bidirectional characters"

    private static func snapshot(
        from: String = "10", in totalIn: String = "3", average: String = "1.5", peak: String = "11",
        peakIn: String = "2", final: String = "0"
    ) -> String {
        #""type":"endOfDay","from":"2026-01-14T\#(from):00:00Z","to":"2026-01-14T13:00:00Z","finalLevel":\#(final),"#
            + #""totalIn":\#(totalIn),"totalOut":3,"highestLevel":3,"averageOccupancy":\#(average),"#
            + #""peakStart":"2026-01-14T\#(peak):00:00Z","peakIn":\#(peakIn)"#
    }

    @Test(arguments: refused)
    func `A row that no journal can have stored is refused`(members: String, why: String) {
        #expect(throws: LineError(why: why)) { try row(members) }
    }

    @Test(arguments: [
        #""type":"setting","setting":"timezone","text":"Europe/Zurich""#, snapshot(),
        // A zone that only the other machine knows, a name of spaces, ids and reasons of other versions.
        #""type":"setting","setting":"timezone","text":"Mars/Olympus""#,
        #""type":"setting","setting":"name","text":"  ""#,
        #""type":"in","source":"hardware","deviceId":"door\u202e""#,
        #""type":"in","source":"hardware","deviceId":"\#(String(repeating: "é", count: 101))""#,
        #""type":"correction","delta":2,"deviceId":" ","reason":"\#(String(repeating: "é", count: 201))""#,
        // Days during which a clock was set, and of a journal whose level was another.
        snapshot(from: "15"), snapshot(peak: "20"), snapshot(peakIn: "4"), snapshot(average: "7"),
        snapshot(final: "4"),
        #""type":"in","source":"manual","deviceId":"a","reason":"=1+1, \"quoted\"","continuesHold":true"#,
    ])
    func `What another journal has accepted is taken`(members: String) throws {
        #expect(try row(members).locationId == "hall")
    }

    @Test func `A row of an earlier version stands where it counts, any other where its journal has put it`()
        throws
    {
        let former = try row(#""type":"reset","value":1"#)
        #expect(former.orderedAt == former.countedAt)
        let placed = try row(#""type":"reset","value":1,"orderedAt":"2026-01-14T14:00:00Z","levelBefore":-3"#)
        #expect(placed.orderedAt == Timestamp(seconds: 1_768_399_200))
        #expect(placed.content == .reset(Reset(to: 1, levelBefore: -3)))
    }

    @Test func `An event and a line of a file are checked by the same rules`() throws {
        let line = #"{"timestamp":"2026-01-14T13:03:59Z","delta":1,"deviceId":"do\u202eor"}"#
        let fields = try LineFields(json: Array(line.utf8)[...])
        #expect(throws: LineError(why: "deviceId \(Self.deviceRule)")) { try fields.event { _ in "hall" } }
        #expect(throws: LineError(why: "deviceId \(Self.deviceRule)")) {
            try fields.row(location: "hall", line: ImportLine(fileHash: "f", number: 1))
        }
        let early = try LineFields(
            json: Array(#"{"timestamp":"0000-01-01T00:00:00+14:00","delta":1,"deviceId":"a"}"#.utf8)[...])
        #expect(throws: LineError(why: "timestamp is not in the years 0 to 9999")) {
            try early.event { _ in "hall" }
        }
    }

    @Test(
        arguments: [
            (#""deviceId":5"#, "deviceId is a text, in quotation marks"),
            (#""locationId":true"#, "locationId is a text, in quotation marks"),
            (#""userId":["a"]"#, "userId is a text, in quotation marks"),
            (#""reason":{"a":1}"#, "reason is a text, in quotation marks"),
            (#""timestamp":1768395839"#, "timestamp is a text, in quotation marks"),
            (#""sequenceNumber":[1]"#, "sequenceNumber is a number"),
            (#""continuesHold":{}"#, "continuesHold is true or false"),
            (#""deviceId":null,"locationId":"","delta":-1,"continuesHold":true,"other":[5]"#, nil),
        ] as [(String, String?)])
    func `A value of another type is named with its member`(members: String, why: String?) throws {
        let read = { try LineFields(json: Array("{\(members)}".utf8)[...]) }
        guard let why else {
            #expect(throws: Never.self) { try read() }
            return
        }
        #expect(throws: LineError(why: why)) { try read() }
    }

    @Test(arguments: LineColumn.allCases.filter(\.isNumber))
    func `A number is no text in JSON, but all that CSV has`(column: LineColumn) throws {
        let name = column.rawValue
        #expect(throws: LineError(why: "\(name) is a number, without quotation marks")) {
            try LineFields(json: Array(#"{"timestamp":"x","\#(name)":"1","deviceId":"a"}"#.utf8)[...])
        }
        for value in ["1", "null"] {
            #expect(throws: Never.self) {
                try LineFields(json: Array(#"{"\#(name)":\#(value)}"#.utf8)[...])
            }
        }
        #expect(try LineFields([column: "1"]).fraction(column) == 1)
    }

    @Test func `Whatever a line says, it is taken or refused`() {
        var random = SplitMix64(seed: 0xFEED)
        for _ in 0..<RandomJSON.cases {
            guard let fields = try? LineFields(json: RandomJSON.line(&random)[...]) else { continue }
            _ = try? fields.event { _ in "hall" }
            _ = try? fields.row()
            _ = try? fields.row(location: "hall", line: ImportLine(fileHash: "f", number: 1))
        }
    }
}
