import CounterModel
import CounterStore
import Linux
import Testing

@testable import Transfer

/// Tables of other programs. Zones are the C library's, of which a process has one, therefore one at a time.
@Suite(.serialized) struct ImportTableTests {
    private let place: ImportPlace
    private let berlin = ImportOptions(timezone: "Europe/Berlin")

    init() throws { place = try ImportPlace() }

    @Test func `Columns have other names, locations their names, and totals are counts in their periods`()
        throws
    {
        try place.add("main", name: "Main hall", .openingHours(OpeningHours("daily 10:00-12:00")))
        let lines = ["Date;Room;In;Out;Weather", "17.11.2025;Main hall;4;2;rain", "18.11.2025 9:00;main;2;;"]
        let columns = "timestamp=Date,locationId=Room,in=In,out=Out"
        #expect(try place.imports(lines, columns: columns, berlin).accepted == 8)
        #expect(place.problems == [])
        let expected = [
            "2025-11-17 10:00:00 +1", "2025-11-17 10:30:00 +1", "2025-11-17 10:30:00 -1",
            "2025-11-17 11:00:00 +1", "2025-11-17 11:30:00 +1", "2025-11-17 11:30:00 -1",
            "2025-11-18 09:00:00 +1", "2025-11-18 09:30:00 +1",
        ]
        #expect(try place.rows("main") == expected)
        // The second time they are duplicates, also after an import that was cut in the middle of a total.
        #expect(try place.imports(lines, columns: columns, berlin).duplicate == 8)
        let cut = try ImportPlace()
        try cut.add("main", name: "Main hall", .openingHours(OpeningHours("daily 10:00-12:00")))
        #expect(try cut.imports(lines, columns: columns, berlin, items: 3, groupSize: 2).accepted == 3)
        let summary = try cut.imports(lines, columns: columns, berlin, groupSize: 2)
        #expect(summary.accepted == 5 && summary.duplicate == 3)
        #expect(try cut.rows("main") == expected)
    }

    @Test
    func `Lines that are still to come are told of, with the first; a clock that is a little ahead is not`()
        throws
    {
        let lines = [
            "timestamp,delta", "2026-11-23T10:00:00Z,1", "2026-11-23T11:04:59Z,1", "2027-01-14T13:00:00Z,3",
            "2026-11-23T11:05:00Z,1",
        ]
        try place.imports(lines)
        #expect(
            place.notes == [
                ":4: 2027-01-14 14:00:00 is still to come: 2 lines are counted now, at the time of the import"
            ])
        try place.imports(lines)
        #expect(place.notes == [], "what is there already is not told again")
        try place.imports(["timestamp,in", "2026-11-24T11:04:59Z,2"])
        #expect(
            place.notes == [
                ":2: 2026-11-24 12:04:59 is still to come: this line is counted now, at the time of the import"
            ])
    }

    @Test func `Days that are over and have not ended are told of, with how far they moved the count`() throws
    {
        try place.add("hall", name: "Main hall")
        try place.add("door", .endsDaysAutomatically(true))
        let lines = [
            "timestamp,delta,locationId", "2026-11-20T10:00:00Z,3,hall", "2026-11-20T12:00:00Z,-1,hall",
            "2026-11-20T10:00:00Z,5,door", "2026-11-23T10:00:00Z,9,hall", "2026-11-20T10:00:00Z,-1,default",
        ]
        try place.imports(lines)
        #expect(
            place.notes == [
                "days of the file that are over have moved the count of 'default' by -1, 'Main hall' by +2"
            ])
        // The same command with --end-days ends them.
        #expect(try place.imports(lines, ImportOptions(endsDays: true)).endedDays == 2)
        #expect(try place.level("hall") == 9 && place.level() == 0)
        try place.imports(
            ["timestamp,delta,locationId", "2026-11-21T10:00:00Z,3,hall"], ImportOptions(endsDays: true))
        #expect(place.notes == [])
    }

    @Test func `A file is taken back with the ends of its days, and can be imported again`() throws {
        try place.add("hall", name: "Main hall")
        let lines = [
            "timestamp,delta,type,value,locationId", "2026-11-20T10:00:00Z,3,,,hall",
            "2026-11-23T09:00:00Z,,reset,7,",
            "2026-11-23T10:00:00Z,2,,,",
        ]
        let options = ImportOptions(endsDays: true)
        try place.imports(["timestamp,delta", "2026-11-23T08:00:00Z,1"])
        let rows = (try place.rows(), try place.rows("hall"))
        for _ in 0..<2 {
            #expect(try place.imports(lines, options).accepted == 6)
            #expect(try place.imports(lines, options).duplicate == 6)
            #expect(try place.level() == 9)
            let hash = try ImportFile(path: place.table, format: nil).hash
            #expect(try !place.journal.importedFile(hash).isTakenBack)
            let standing = try place.journal.rows(ofFile: hash)
            #expect(standing.count == 7)
            let count = try place.journal.takeBack(
                standing, ofFile: hash, userId: "ada", at: ImportPlace.now, groupSize: 2)
            #expect(count == 7)
            #expect(try place.journal.importedFile(hash).isTakenBack)
            #expect(try place.journal.verify() == [])
            #expect(try place.rows() == rows.0 && place.rows("hall") == rows.1)
            #expect(try place.level() == 1 && place.level("hall") == 0)
        }
        // What was taken back by its file is no undo, which a redo would bring back.
        let scope = UndoScope(userId: "ada", deviceIds: [])
        #expect(try place.journal.location(toUndo: scope, isRedo: true) == nil)
    }

    @Test func `Each count of a total has it as its reason`() throws {
        try place.imports(["timestamp,delta,reason", "2026-01-14T13:00:00Z,-2,class 4"])
        var reasons: [String?] = []
        try place.journal.forEachRow { row in
            if case .entry(let entry) = row.content { reasons.append(entry.reason) }
        }
        #expect(reasons == Array(repeating: "of a total of 2 in 1h: class 4", count: 2))
        #expect(try place.rows() == ["2026-01-14 14:15:00 -1", "2026-01-14 14:45:00 -1"])
    }

    @Test func `A period that has begun goes to the present, and one of 15 minutes is 15 minutes long`()
        throws
    {
        let lines = ["timestamp,in,out", "2026-11-23T10:30:00Z,2,", "2026-11-22T10:30:00Z,2,0"]
        #expect(try place.imports(lines).accepted == 4)
        try place.imports(
            ["timestamp,in", "2026-11-21T10:30:00Z,3"], ImportOptions(period: .seconds(900)))
        #expect(
            try place.rows() == [
                "2026-11-21 11:30:00 +1", "2026-11-21 11:35:00 +1", "2026-11-21 11:40:00 +1",
                "2026-11-22 11:30:00 +1", "2026-11-22 12:00:00 +1", "2026-11-23 11:30:00 +1",
                "2026-11-23 11:45:00 +1",
            ])
    }

    @Test(arguments: [
        "2025-11-18 10:02:00", "2025-11-18 10:02", "2025-11-18T10:02", "18.11.2025 10:02",
        "18.11.2025 10:02:00.0",
        "2025-11-18T09:02:00Z", "2025-11-18 10:02+01:00",
    ])
    func `Times come as people write them`(text: String) throws {
        try place.imports(["timestamp,delta", "\(text),1"], berlin)
        #expect(try place.rows() == ["2025-11-18 10:02:00 +1"])
    }

    @Test func `A total of a location that is not there is one mistake`() throws {
        try place.imports(["timestamp,delta,locationId", "2025-11-18T10:02:00Z,12,Cellar"])
        #expect(place.refused == 1)
        #expect(
            place.problems == [
                ":2: locationId: there is no location with the id 'Cellar'; add it with: counter location add Cellar"
            ])
    }

    @Test func `Columns called in and out are no totals beside a delta`() throws {
        let lines = ["Date,Count,in", "2025-11-18T10:02:00Z,1,yes"]
        #expect(try place.imports(lines, columns: "timestamp=Date,delta=Count").accepted == 1)
        #expect(try place.rows() == ["2025-11-18 11:02:00 +1"])
    }

    @Test func `Two columns make one time`() throws {
        try place.imports(
            ["Day\tTime\tIn", "7.1.2025\t9:05\t1"], columns: "timestamp=Day+Time,in=In", berlin)
        #expect(try place.rows() == ["2025-01-07 09:05:00 +1"])
    }

    @Test func `A time that clocks skip or show twice counts, and is told`() throws {
        let lines = [
            "Date,delta", "2025-03-30 02:30,1", "2025-10-26 02:10,1", "2025-10-26 02:40,1",
            "2025-10-26 02:10,1", "2026-10-25 02:10,1",
        ]
        #expect(try place.imports(lines, columns: "timestamp=Date", berlin).accepted == 5)
        #expect(
            try place.rows() == [
                "2025-03-30 03:00:00 +1", "2025-10-26 02:10:00+02:00 +1", "2025-10-26 02:40:00+02:00 +1",
                "2025-10-26 02:10:00+01:00 +1", "2026-10-25 02:10:00+02:00 +1",
            ])
        let twice = "is shown twice by the clocks of Europe/Berlin: counted as the"
        #expect(
            place.problems == [
                ":2: Date '2025-03-30 02:30' is skipped by the clocks of Europe/Berlin: counted at 2025-03-30 03:00:00",
                ":3: Date '2025-10-26 02:10' \(twice) first, by the order of the lines (3 lines such as this: 3, 4, 6)",
                ":5: Date '2025-10-26 02:10' \(twice) second, by the order of the lines",
            ])
    }

    @Test func `Of an hour that comes twice, the second total is of the second hour`() throws {
        try place.imports(
            ["timestamp,in", "2025-10-26 02:00,1", "2025-10-26 02:00,1", "2025-10-26 03:00,1"], berlin)
        #expect(
            try place.rows() == [
                "2025-10-26 02:00:00+02:00 +1", "2025-10-26 02:00:00+01:00 +1", "2025-10-26 03:00:00 +1",
            ])
    }

    @Test(arguments: [
        (
            "11/18/2025,1,",
            "Date '11/18/2025' is no time such as 2026-01-14T13:03:59Z, 2026-01-14 13:03, "
                + "14.01.2026 13:03 or 14.01.2026"
        ),
        (
            "31.02.2025,1,",
            "Date '31.02.2025' is no time such as 2026-01-14T13:03:59Z, 2026-01-14 13:03, "
                + "14.01.2026 13:03 or 14.01.2026"
        ),
        ("18.11.2025,1.234,", "In is a whole number without separators or decimals, not '1.234'"),
        ("18.11.2025,\"12,0\",", "In is a whole number without separators or decimals, not '12,0'"),
        ("18.11.2025,many,", "In is a whole number, not 'many'"),
        ("18.11.2025,-1,", "In is 0 to 100,000 a line, not '-1'"),
        ("18.11.2025,100001,", "In is 0 to 100,000 a line, not '100001'"),
        ("18.11.2025,1,Hal", "Room: there is no location with the id 'Hal'. Did you mean 'Hall'?"),
        (",1,", "Date is missing"),
    ])
    func `A line that is wrong is told with its column, and stops no other`(line: String, problem: String)
        throws
    {
        try place.add("Hall")
        let summary = try place.imports(
            ["Date,In,Room", line, "18.11.2025,1,"], columns: "timestamp=Date,in=In,locationId=Room", berlin)
        #expect(summary.accepted == 1)
        #expect(place.problems == [":2: \(problem)"])
    }

    @Test func `A local time wants a zone, and a total no sequence number`() throws {
        try place.imports([
            "timestamp,delta,sequenceNumber", "2025-11-18 10:02:00,1,", "2025-11-18T10:02:00Z,2,7",
            "2025-11-18T10:02:00Z,0,", "2025-11-18T10:02:00Z,100001,",
        ])
        #expect(place.refused == 3)
        #expect(
            place.problems == [
                ":2: timestamp '2025-11-18 10:02:00' is no time such as 2026-01-14T13:03:59Z; the zone of local "
                    + "times is named by --timezone, such as --timezone Europe/Berlin",
                ":3: sequenceNumber is of one event, and this is a total",
                ":5: delta is 0 to 100,000 a line, not '100001'",
            ])
        #expect(try place.rows() == [])
    }

    @Test(arguments: [
        ("Date", "'Date' is no field=column, such as timestamp=Date"),
        ("time=Date", "there is no field 'time'. They are: timestamp,"),
        ("timestamps=Date", "there is no field 'timestamps'. Did you mean 'timestamp'? They are: timestamp,"),
        ("in=A,in=B", "in is named twice"),
        ("in=A,delta=B", "delta and the totals in and out exclude each other"),
    ])
    func `Names of columns that make no sense are refused`(text: String, problem: String) {
        let error = #expect(throws: LineError.self) { try ColumnNames(text) }
        #expect(error?.why.hasPrefix(problem) == true, "\(error?.why ?? "")")
    }

    @Test func `A column that is not there is told with the one that may be meant`() throws {
        let error = #expect(throws: ProgramError.self) {
            try place.imports(["Date,In", ""], columns: "timestamp=dat")
        }
        #expect(error?.message == "\(place.table):1: there is no column 'dat'")
        #expect(error?.remedy == "Did you mean 'Date'? It has: Date, In")
    }
}
