import CounterModel
import Linux
import Testing

@testable import Reports

/// What `counter history --entries` prints.
@Suite struct RowFormatTests {
    /// 2026-11-21 12:00 UTC.
    private static let noon = Timestamp(seconds: 1_795_262_400)

    private static func row(_ position: Int64, _ content: RowContent, void: VoidMark? = nil) -> HistoryRow {
        HistoryRow(
            JournalRow(
                id: Position(position), locationId: "hall", userId: "ada", timestamp: noon, receivedAt: noon,
                content), void: void)
    }

    private static func span(_ zone: String) -> LocationSpan {
        let end = Timestamp(seconds: noon.seconds + 3600)
        return LocationSpan(Location(id: "hall", name: "Main hall", timezone: zone), noon..<end)
    }

    private static func rows() throws -> [HistoryRow] {
        let day = DaySnapshot(
            from: noon, to: noon, finalLevel: 3, totalIn: 0, totalOut: 0, peakHour: nil, highestLevel: 3,
            averageOccupancy: nil, isAutomatic: true)
        return [
            row(
                7,
                .entry(Entry(.in, deviceId: "d1", source: .hardware, sequenceNumber: 4, reason: "why, so")),
                void: VoidMark(userId: "eve", time: Timestamp(seconds: noon.seconds + 60))),
            row(8, .correction(Correction(by: -2, deviceId: "cli", reason: "counted", levelBefore: 5))),
            row(9, .reset(Reset(to: 3, deviceId: "d1", levelBefore: 12))),
            row(10, .endOfDay(day, levelBefore: 3)),
            row(11, .setting(try #require(LocationSetting(named: "capacity", text: "20")))),
            row(12, clock(.latest(noon))), row(13, clock(.by(.seconds(-7_260)))),
        ]
    }

    @Test func `A row that was made on another machine says on which`() {
        let row = HistoryRow(
            JournalRow(
                id: Position(7), locationId: "hall", userId: "ada", timestamp: Self.noon,
                receivedAt: Self.noon,
                .reset(Reset(to: 0, levelBefore: 2))),
            of: "door-3", void: VoidMark(userId: nil, of: "office", time: Self.noon))
        #expect(
            RowFormat(.text, isNamed: false).line(row, of: Self.span("UTC"))
                == "#7  2026-11-21 12:00:00  reset to 0, from 2  ada on door-3  taken back on office at 2026-11-21 12:00:00"
        )
        #expect(
            RowFormat(.json, isNamed: false).line(row, of: Self.span("UTC")).hasSuffix(
                #","journalName":"door-3"}"#))
    }

    private static func clock(_ change: ClockMend.Change) -> RowContent {
        .clock(ClockMend(journalId: "a", rows: Position(1)...Position(2), change))
    }

    @Test func `Text names the row, its time in the location's zone, and who did it`() throws {
        let format = RowFormat(.text, isNamed: false)
        let arrow = TextTable.isUTF8 ? "→" : "->"
        #expect(format.header == nil)
        #expect(
            try Self.rows().map { format.line($0, of: Self.span("Europe/Zurich")) } == [
                "#7  2026-11-21 13:00:00  in  d1  ada  why, so  taken back by eve at 2026-11-21 13:01:00",
                "#8  2026-11-21 13:00:00  correction 5 \(arrow) 3  cli  ada  counted",
                "#9  2026-11-21 13:00:00  reset to 3, from 12  d1  ada",
                "#10  2026-11-21 13:00:00  end of day at 3  automatic",
                "#11  2026-11-21 13:00:00  capacity 20  ada",
                "#12  2026-11-21 13:00:00  clock was ahead: later rows are at 2026-11-21 13:00:00  ada",
                "#13  2026-11-21 13:00:00  clock set: rows moved 2h1m back  ada",
            ])
    }

    @Test func `JSON and CSV have the same fields`() throws {
        let (json, csv) = (RowFormat(.json, isNamed: false), RowFormat(.csv, isNamed: false))
        let times = #""timestamp":"2026-11-21T12:00:00.000000Z","receivedAt":"2026-11-21T12:00:00.000000Z""#
        #expect(
            try Self.rows().map { json.line($0, of: Self.span("UTC")) } == [
                #"{"position":7,"type":"in",\#(times),"deviceId":"d1","source":"hardware","userId":"ada","#
                    + #""sequenceNumber":4,"delta":1,"reason":"why, so","isVoid":true,"voidedBy":"eve","#
                    + #""voidedAt":"2026-11-21T12:01:00.000000Z"}"#,
                #"{"position":8,"type":"correction",\#(times),"deviceId":"cli","source":"manual","userId":"ada","#
                    + #""delta":-2,"value":3,"levelBefore":5,"reason":"counted","isVoid":false}"#,
                #"{"position":9,"type":"reset",\#(times),"deviceId":"d1","userId":"ada","value":3,"levelBefore":12,"#
                    + #""isVoid":false}"#,
                #"{"position":10,"type":"endOfDay",\#(times),"userId":"ada","value":0,"levelBefore":3,"isVoid":false,"#
                    + #""isAutomatic":true}"#,
                #"{"position":11,"type":"setting",\#(times),"userId":"ada","setting":"capacity","to":"20","#
                    + #""isVoid":false}"#,
                #"{"position":12,"type":"clock",\#(times),"userId":"ada","to":"2026-11-21T12:00:00.000000Z","#
                    + #""isVoid":false}"#,
                #"{"position":13,"type":"clock",\#(times),"userId":"ada","value":-7260000000,"isVoid":false}"#,
            ])
        #expect(
            csv.header
                == "position,type,timestamp,receivedAt,deviceId,source,userId,sequenceNumber,delta,value,levelBefore,"
                + "setting,to,reason,isVoid,voidedBy,voidedAt,isAutomatic,journalName")
        let time = "2026-11-21T12:00:00.000000Z,2026-11-21T12:00:00.000000Z"
        #expect(
            try Self.rows().map { csv.line($0, of: Self.span("UTC")) } == [
                "7,in,\(time),d1,hardware,ada,4,1,,,,,\"why, so\",true,eve,2026-11-21T12:01:00.000000Z,,",
                "8,correction,\(time),cli,manual,ada,,-2,3,5,,,counted,false,,,,",
                "9,reset,\(time),d1,,ada,,,3,12,,,,false,,,,",
                "10,endOfDay,\(time),,,ada,,,0,3,,,,false,,,true,",
                "11,setting,\(time),,,ada,,,,,capacity,20,,false,,,,",
                "12,clock,\(time),,,ada,,,,,,2026-11-21T12:00:00.000000Z,,false,,,,",
                "13,clock,\(time),,,ada,,,-7260000000,,,,,false,,,,",
            ])
    }

    @Test func `Rows of several locations have their names`() throws {
        let (row, span) = (try Self.rows()[4], Self.span("Europe/Zurich"))
        func line(_ style: RowFormat.Style) -> String { RowFormat(style, isNamed: true).line(row, of: span) }
        #expect(line(.text) == "#11  2026-11-21 13:00:00  Main hall  capacity 20  ada")
        #expect(line(.json).hasPrefix(#"{"locationId":"hall","name":"Main hall","position":11,"#))
        #expect(line(.csv).hasPrefix("hall,Main hall,11,setting,"))
        #expect(RowFormat(.csv, isNamed: true).header?.hasPrefix("locationId,name,position,") == true)
    }
}
