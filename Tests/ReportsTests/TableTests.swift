import CounterModel
import Testing
import Transfer

@testable import Reports

/// The three writers, with values of each kind.
@Suite struct TableTests {
    /// Europe/Zurich, whose clocks repeat an hour on 2026-10-25.
    static let zurich = ZoneOffsets(
        initial: UTCOffset(seconds: 7200),
        changes: [
            ZoneOffsets.Change(start: Timestamp(seconds: 1_792_890_000), offset: UTCOffset(seconds: 3600))
        ])

    private struct Bird {
        var name: String?
        var count: Int?
        var average: Double?
        var isSeen: Bool?
        var at: Timestamp?
        var places: [String]?
    }

    private let table = Table<Bird>(
        [
            .init("name", "NAME") { .text($0.name) },
            .init("average", "AVERAGE") { .decimal($0.average) },
            .init("isSeen", "SEEN") { .flag($0.isSeen) },
            .init("count", "COUNT", words: { "\($0.count ?? 0) birds" }) { .number($0.count) },
            .init("at", "AT") { .local($0.at, zurich) },
            .init("seenAt") { .time($0.at) },
            .init("places", "PLACES") { .list($0.places) },
            .init("place") { .object($0.places?.first.map { ["name": .text($0), "index": .number(0)] }) },
            .init("all") { .objects($0.places?.map { ["name": .text($0)] }) },
            .init(title: "NOTES") { $0.name == nil ? "unnamed" : "" },
            .init(csv: "double") { .number($0.count.map { $0 * 2 }) },
        ], titles: ["NAME", "COUNT", "AVERAGE", "SEEN", "AT", "PLACES", "NOTES"])

    /// In the second of the hours that the clocks show twice.
    private let wren = Bird(
        name: "Wren, \"small\"", count: 12, average: 37.44, isSeen: true,
        at: Timestamp(seconds: 1_792_890_000 + 1800), places: ["Hedge", "Wall"])

    @Test func `Text has titles, words for people, and dashes for what is missing`() {
        #expect(
            table.text([wren, Bird()]) == [
                "NAME           COUNT     AVERAGE  SEEN  AT                         PLACES      NOTES",
                "Wren, \"small\"  12 birds  37.4     true  2026-10-25 02:30:00+01:00  Hedge Wall",
                "-              0 birds   -        -     -                          -           unnamed",
            ])
    }

    @Test func `JSON has the members in their order, without those that are missing`() {
        #expect(
            table.json(wren) == #"{"name":"Wren, \"small\"","average":37.44,"isSeen":true,"count":12,"#
                + #""at":"2026-10-25T02:30:00+01:00","seenAt":"2026-10-25T01:30:00.000000Z","places":["Hedge","Wall"],"#
                + #""place":{"name":"Hedge","index":0},"all":[{"name":"Hedge"},{"name":"Wall"}]}"#)
        #expect(table.json(Bird()) == "{}")
    }

    @Test func `CSV has a header and empty fields for what is missing`() {
        #expect(
            table.csv([wren, Bird()]) == [
                "name,average,isSeen,count,at,seenAt,places,place,all,double",
                #""Wren, ""small""",37.44,true,12,2026-10-25T02:30:00+01:00,2026-10-25T01:30:00.000000Z,Hedge Wall,,,24"#,
                ",,,,,,,,,",
            ])
    }

    @Test func `Columns stay aligned after wide characters, and unsafe ones are replaced`() {
        let lines = TextTable.lines(
            ["NAME", "COUNT"], [["シジュウカラ", "3"], ["Wren 🐦", "12"], ["Blåmes", "7"], ["\u{1B}[2J", "1"]])
        #expect(
            lines == [
                "NAME          COUNT",
                "シジュウカラ  3",
                "Wren 🐦       12",
                "Blåmes        7",
                "?[2J          1",
            ])
    }
}
