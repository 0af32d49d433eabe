import Linux
import TestSupport
import Testing

@testable import CounterModel
@testable import CounterStore
@testable import Transfer

/// What is exported, and that it can be imported again.
@Suite struct ExportFormatTests {

    private func entry(reason: String?, device: Identifier = "door", user: String? = "ada") -> JournalRow {
        let time = Timestamp(seconds: 1_768_395_839)
        return JournalRow(
            id: Position(1), locationId: "hall", userId: user, timestamp: time, receivedAt: time,
            .entry(Entry(.out, deviceId: device, source: .manual, reason: reason)))
    }

    /// The entry of a line of CSV or JSON that is read again.
    private func readAgain(_ row: JournalRow, _ format: ImportFile.Format) throws -> Entry {
        let line = ExportFormat(format, of: JournalIds("j")).line(row)
        #expect(!line.contains("\n") && !line.holdsControlCharacter, "\(line)")
        let fields: LineFields
        switch format {
        case .jsonl: fields = try LineFields(json: Array(line.utf8)[...])
        case .csv:
            let texts = try #require(CSV.fields(of: Array(line.utf8)[...]))
            fields = LineFields(
                Dictionary(uniqueKeysWithValues: zip(LineColumn.exchanged, texts)).filter { !$1.isEmpty })
        }
        let row = try fields.row(location: "other", line: ImportLine(fileHash: "f", number: 1))
        guard case .entry(let entry) = row.content else { throw LineError(why: "no entry") }
        return entry
    }

    private static let pieces = [
        "\n", "\r\n", "\"", "\"\"", "=", "=1+1", "+", "-", "@", ",", ";", "\t", "'", "\\", "\\n", " ", "  ",
        "\u{1B}[2J", "\u{9B}", "\u{0}", "\u{202E}", "\u{FEFF}", "é", "e\u{301}", "音", "👩‍👩‍👧", "{", "}",
        "null", "0", "a", "\u{200F}", "\u{2028}", "\u{85}", "\u{A0}", "#", "%", "/*", "-->", "\u{7F}",
    ]

    @Test(arguments: ImportFile.Format.allCases)
    func `Whatever a reason holds comes back, with a space for each control character`(
        format: ImportFile.Format
    ) throws {
        var random = SplitMix64(seed: 41)
        for _ in 0..<Volume.of(sample: 600, full: 20_000) {
            let reason = (0...random.below(6)).map { _ in random.element(of: Self.pieces) }.joined()
            let shown = reason.unicodeScalars.map {
                $0.properties.generalCategory == .control ? " " : Character($0)
            }
            #expect(try readAgain(entry(reason: reason), format).reason == String(shown))
        }
    }

    @Test(arguments: ImportFile.Format.allCases)
    func
        `What an earlier version let in is exported so that it comes back, with spaces for control characters`(
            format: ImportFile.Format
        ) throws
    {
        let old = entry(
            reason: "two\r\nlines\u{1B}[2J\u{9B}\u{7F}", device: "do\u{202E}or\u{7}", user: "a\u{1B}b")
        let entry = try readAgain(old, format)
        #expect(entry.reason == "two  lines [2J  ")
        #expect(entry.deviceId == "do or ")
        let long = self.entry(
            reason: String(repeating: "x", count: 300), device: Identifier(String(repeating: "é", count: 150))
        )
        #expect(try readAgain(long, format).reason?.count == 200)
        #expect(try readAgain(long, format).deviceId.text.utf8.count == 200)
        #expect(try readAgain(self.entry(reason: "", device: "\u{7}"), format).deviceId == "?")
    }

    @Test func `For spreadsheets, nothing that somebody wrote is a formula`() throws {
        let format = ExportFormat(.csv, of: JournalIds("j"), isSafeForFormulas: true)
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "＝1＋1"] {
            let fields = try #require(
                CSV.fields(of: Array(format.line(entry(reason: text, device: Identifier(text))).utf8)[...]))
            #expect(fields[9] == "'" + text && fields[4] == "'" + text)
            #expect(fields[2] == "-1", "a number stays one")
        }
        #expect(format.line(entry(reason: "a=b")).hasSuffix(",a=b,j:1"))
    }

    /// The lines of a spreadsheet with rows of a hall for 5, `=Hall`, in Zurich.
    private func spreadsheet(_ rows: [JournalRow]) -> [String] {
        var hall = Location(id: "hall", name: "=Hall", timezone: "Europe/Zurich")
        hall.maxCapacity = 5
        let door = Device(id: "door", name: "Front, door", locationId: nil, lastSeenAt: nil, isActive: true)
        var sheet = Spreadsheet([hall], [door])
        return rows.map { sheet.line($0) }
    }

    private func row(_ position: Int64, _ time: String, receivedAt: String? = nil, _ content: RowContent)
        -> JournalRow
    {
        let moment = ImportPlace.time(time)
        return JournalRow(
            id: Position(position), locationId: "hall", userId: "ada", timestamp: moment,
            receivedAt: receivedAt.map(ImportPlace.time) ?? moment, content)
    }

    @Test func `A spreadsheet gets local times, names, signs, and the count after each row`() {
        #expect(Spreadsheet.header == "time,location,what,change,count,device,user,reason")
        let lines = spreadsheet([
            row(1, "2026-01-14T13:00:00Z", .reset(Reset(to: 7))),
            row(3, "2026-01-14T13:01:00Z", .entry(Entry(.in, deviceId: "door", source: .hardware))),
            row(2, "2026-01-14T13:02:00Z", .entry(Entry(.out, deviceId: "x", source: .manual, reason: "+2"))),
            row(4, "2026-01-14T13:03:00Z", .correction(Correction(by: -9, deviceId: "x", reason: nil))),
        ])
        let start = "2026-01-14 14:0"
        #expect(
            lines == [
                start + "0:00,'=Hall,reset,,7,,ada,", start + "1:00,'=Hall,in,+1,8,\"Front, door\",ada,",
                start + "2:00,'=Hall,out,-1,7,x,ada,'+2", start + "3:00,'=Hall,correction,-9,0,x,ada,",
            ])
    }

    @Test func `In a spreadsheet a row of a clock that is ahead stands where it counts`() {
        let lines = spreadsheet([
            row(
                1, "2027-01-14T13:00:00Z", receivedAt: "2026-01-14T13:00:00Z",
                .entry(Entry(.in, deviceId: "x", source: .import)))
        ])
        #expect(lines == ["2026-01-14 14:00:00,'=Hall,in,+1,1,x,ada,"])
    }

    @Test func `In a spreadsheet the end of a day sets the count and is no change, of a file's day too`() {
        let snapshot = DaySnapshot(
            from: ImportPlace.time("2026-01-13T23:00:00Z"), to: ImportPlace.time("2026-01-14T23:00:00Z"),
            finalLevel: 1,
            totalIn: 1, totalOut: 0, peakHour: nil, highestLevel: 1, averageOccupancy: nil)
        let lines = spreadsheet([
            row(1, "2026-01-14T13:00:00Z", .entry(Entry(.in, deviceId: "x", source: .import))),
            row(
                2, "2026-01-14T22:59:59Z",
                .correction(
                    Correction(by: -1, deviceId: "import", reason: "end of the day", endedDay: snapshot))),
            row(3, "2026-01-15T13:00:00Z", .entry(Entry(.in, deviceId: "x", source: .import))),
            row(4, "2026-01-15T23:00:00Z", .endOfDay(snapshot)),
        ])
        #expect(
            lines.map {
                $0.split(separator: ",", omittingEmptySubsequences: false)[2...4].joined(separator: ",")
            }
                == ["in,+1,1", "end of day,,0", "in,+1,1", "end of day,,0"])
    }

    @Test func `JSON holds no control character but as an escape`() {
        let object: JSONLine = ["a\u{85}": .text("\u{0}\u{1B}\n\t\r\u{7F}\u{9B}é\u{1F600}")]
        #expect(object.text == #"{"a\u0085":"\u0000\u001b\n\t\r\u007f\u009bé😀"}"#)
    }
}
