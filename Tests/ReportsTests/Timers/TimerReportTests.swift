import CounterModel
import Linux
import Testing

@testable import CounterModel
@testable import Reports

/// What `counter timer` prints.
@Suite struct TimerReportTests {
    private static let start = Timestamp(seconds: 1_800_000_000)
    private static let locations = ["North door", "Hall"].map {
        Location(id: Identifier($0.lowercased()), name: $0, timezone: "UTC")
    }

    private var board = TimerBoard()
    private var position: Int64 = 0

    private mutating func apply(_ event: TimerEvent, at seconds: Int = 0) {
        position += 1
        board.apply(
            TimerRow(
                position: Position(position), timestamp: Self.time(seconds), userId: "ada",
                content: TimerRowContent(event, clock: nil)))
    }

    private mutating func start(_ setup: TimerSetup) -> UniqueId {
        let id = UniqueId()
        apply(.started(id, setup))
        return id
    }

    private static func time(_ seconds: Int) -> Timestamp { Timestamp(seconds: start.seconds + seconds) }

    private func report(_ id: UniqueId, at seconds: Int, counts: [TimerCount]) throws -> TimerReport {
        let timer = try #require(board.all.first { $0.id == id })
        let windows = timer.windows(at: Self.time(seconds))
        let result = TimerResult(Array(windows.prefix(1)), [counts])
        return TimerReport(timer, result, at: Self.time(seconds), locations: Self.locations)
    }

    private static let robins = TimerSetup(label: "Robins", seconds: 300, locations: .some(["hall"]))
    private static let both = [
        TimerCount(locationId: "hall", totalIn: 12, totalOut: 3),
        TimerCount(locationId: "elsewhere", totalIn: 0, totalOut: 4),
    ]

    @Test mutating func `A timer that runs`() throws {
        let id = start(Self.robins)
        let report = try report(id, at: 20, counts: [Self.both[0]])
        #expect(
            TimerReport.table.text([report]) == [
                "N  LABEL   STATUS   LEFT  IN  OUT  NET  MODE   LOCATIONS",
                "1  Robins  running  4:40  12  3    9    sound  Hall",
            ])
        #expect(
            report.sentence
                == "timer 1 'Robins' (5m) runs until \(Self.time(300).localTime(at: Self.time(20)))")
        let members =
            #""timerId":"\#(id)","number":1,"status":"running","isListed":true,"remainingSeconds":280,"#
            + #""createdAt":"2027-01-15T08:00:00.000000Z","endDate":"2027-01-15T08:05:00.000000Z","userId":"ada","#
            + #""label":"Robins","seconds":300,"mode":"sound","isSoundOn":true,"isVibrationOn":true,"#
            + #""endAction":"discard","locationIds":["hall"],"rounds":1,"pauseSeconds":0,"leadInSeconds":0,"#
            + #""announcesLastMinute":false,"isUrgent":false,"volume":100,"countedSeconds":20,"addedSeconds":0,"#
            + #""totalIn":12,"totalOut":3,"net":9,"#
            + #""locations":[{"locationId":"hall","totalIn":12,"totalOut":3,"net":9}],"#
            + #""windows":[{"round":1,"from":"2027-01-15T08:00:00.000000Z","to":"2027-01-15T08:00:20.000000Z"}]}"#
        #expect(TimerReport.table.json(report) == "{" + members)
        #expect(report.endLine == #"{"type":"timerEnd","# + members)
    }

    @Test mutating func `Of all locations, with rounds, and stopped`() throws {
        let id = start(
            TimerSetup(seconds: 60, mode: .vibration, endAction: .preserve, rounds: 3, pauseSeconds: 30))
        apply(.action(id, .pause), at: 10)
        #expect(
            try report(id, at: 20, counts: []).sentence == "timer 1 is paused, left: round 0:50, all 3:50")
        apply(.action(id, .stop), at: 30)
        let report = try report(id, at: 40, counts: Self.both)
        #expect(report.sentence == "timer 1 is stopped: 12 up, 7 down")
        #expect(
            TimerReport.table.text([report]) == [
                "N  LABEL  STATUS   LEFT  IN  OUT  NET  MODE       LOCATIONS",
                "1  1m     stopped  -     12  7    5    vibration  all",
            ])
        let json = TimerReport.table.json(report)
        #expect(
            json.contains(
                #""label":"","seconds":60,"mode":"vibration","isSoundOn":false,"isVibrationOn":true"#))
        #expect(json.contains(#""endAction":"preserve","rounds":3"#))
        #expect(json.contains(#""roundResults":[{"totalIn":12,"totalOut":7,"net":5}],"windows":["#))
        apply(.action(id, .remove), at: 50)
        #expect(try self.report(id, at: 60, counts: []).sentence == "timer 1 is removed: 0 up, 0 down")
    }

    @Test mutating func `A timer that has ended is ended in words, whether or not it rings`() throws {
        let id = start(Self.robins)
        #expect(try report(id, at: 301, counts: []).sentence == "timer 1 'Robins' has ended: 0 up, 0 down")
        #expect(
            TimerReport.table.text([try report(id, at: 301, counts: [])])[1].hasPrefix(
                "1  Robins  ended   -     0"))
        apply(.action(id, .acknowledge), at: 310)
        let report = try report(id, at: 320, counts: [])
        #expect(report.sentence == "timer 1 'Robins' is acknowledged: 0 up, 0 down")
        #expect(TimerReport.table.text([report])[1].hasPrefix("1  Robins  ended   -     0"))
    }

    @Test mutating func `Results have a line for each location and round, and their sum is called total`()
        throws
    {
        let (robins, all) = (start(Self.robins), start(TimerSetup(seconds: 60)))
        let reports = [
            try report(robins, at: 20, counts: [Self.both[0]]), try report(all, at: 100, counts: Self.both),
        ]
        let (started, ended) = (Self.start.localDateAndTime, Self.time(60).localDateAndTime)
        #expect(
            TimerReport.results(reports) == [
                "STARTED           ENDED             LABEL   STATUS   COUNTED  IN  OUT  NET  LOCATIONS",
                "\(started)  -                 Robins  running  0:20     12  3    9    Hall",
                "\(started)  \(ended)  1m      ended    1:00     12  7    5    total",
                "                                                              0   0    0      North door",
                "                                                              12  3    9      Hall",
                "                                                              0   4    -4     elsewhere",
            ])
        // The counts of a column can be added up.
        #expect(
            TimerReport.csv(reports) == [
                "id,label,startedAt,endedAt,status,rounds,countedSeconds,addedSeconds,locationId,name,totalIn,totalOut,net",
                "\(robins),Robins,2027-01-15T08:00:00.000000Z,,running,1,20,0,hall,Hall,12,3,9",
                "\(all),,2027-01-15T08:00:00.000000Z,2027-01-15T08:01:00.000000Z,completed,1,60,0,north door,North door,0,0,0",
                "\(all),,2027-01-15T08:00:00.000000Z,2027-01-15T08:01:00.000000Z,completed,1,60,0,hall,Hall,12,3,9",
                "\(all),,2027-01-15T08:00:00.000000Z,2027-01-15T08:01:00.000000Z,completed,1,60,0,elsewhere,elsewhere,0,4,-4",
            ])
    }

    @Test mutating func `What is counted is all rounds with what was added, without pauses and the lead-in`()
        throws
    {
        let setup = TimerSetup(
            label: "Dawn", seconds: 60, locations: .some(["hall"]), rounds: 3, pauseSeconds: 10,
            leadInSeconds: 3)
        let id = start(setup)
        let starts = "timer 1 'Dawn' (3 x 1m, 10s) begins in 0:02 and runs until "
        #expect(try report(id, at: 1, counts: []).sentence.hasPrefix(starts))
        #expect(try report(id, at: 1, counts: []).brief == "Dawn begins in 0:02")
        apply(.action(id, .pause), at: 13)
        apply(.action(id, .resume), at: 113)
        let begun = try report(id, at: 113, counts: [])
        #expect(TimerReport.table.text([begun])[1].contains("  round 0:50, all 3:10  "))
        #expect(TimerReport.results([begun])[1].contains("running  0:10 in 1 of 3 rounds  "))
        apply(.extended(id, seconds: 60), at: 120)
        #expect(try report(id, at: 226, counts: []).brief == "Dawn pause 0:07, all 2:17  0 up, 0 down")
        let report = try report(id, at: 400, counts: [Self.both[0]])
        #expect(
            TimerReport.results([report]).map { $0.dropFirst(36) } == [
                "LABEL  STATUS  COUNTED                       IN  OUT  NET  LOCATIONS",
                "Dawn   ended   4:00 in 3 rounds, 1:00 added  12  3    9    Hall, total",
                "                                             12  3    9      round 1",
            ])
        #expect(TimerReport.csv([report])[1].hasSuffix(",completed,3,240,60,hall,Hall,12,3,9"))
        #expect(
            TimerReport.table.json(report).contains(#""countedSeconds":240,"addedSeconds":60,"totalIn":12"#))
        apply(.started(UniqueId(), setup, replacing: id), at: 500)
        #expect(try self.report(id, at: 600, counts: []).time == "counted 4:00 in 3 rounds, 1:00 added")
    }

    @Test mutating func `Presets, a removed one too`() throws {
        let ids = [UniqueId(), UniqueId()]
        apply(.presetSaved(ids[0], TimerSetup(label: "Tea", seconds: 300, endAction: .preserve)))
        apply(
            .presetSaved(
                ids[1],
                TimerSetup(
                    seconds: 60, mode: .silent, locations: .some(["hall", "cellar"]), rounds: 3,
                    pauseSeconds: 10)))
        apply(.started(UniqueId(), TimerSetup(seconds: 300), presetId: ids[0]), at: 5)
        apply(.presetHidden(ids[1]), at: 9)
        let presets = board.presets + board.allPresets.filter(\.isHiddenInList)
        let reports = presets.map { PresetReport($0, locations: Self.locations) }
        #expect(
            PresetReport.table.text(reports) == [
                "N  LABEL  LENGTH       MODE    AT THE END  LOCATIONS     LAST USED",
                "1  Tea    5m           sound   keep        all           \(Self.time(5).localDateAndTime)",
                "-  1m     3 x 1m, 10s  silent  discard     Hall, cellar  -",
            ])
        #expect(
            PresetReport.table.json(reports[0])
                == #"{"presetId":"\#(ids[0])","number":1,"label":"Tea","seconds":300,"mode":"sound","isSoundOn":true,"#
                + #""isVibrationOn":true,"endAction":"preserve","rounds":1,"pauseSeconds":0,"leadInSeconds":0,"#
                + #""announcesLastMinute":false,"isUrgent":false,"volume":100,"createdAt":"2027-01-15T08:00:00.000000Z","#
                + #""lastUsedAt":"2027-01-15T08:00:05.000000Z","isHiddenInList":false}"#)
        #expect(
            PresetReport.table.json(reports[1])
                == #"{"presetId":"\#(ids[1])","label":"","seconds":60,"mode":"silent","isSoundOn":false,"#
                + #""isVibrationOn":false,"endAction":"discard","locationIds":["hall","cellar"],"rounds":3,"#
                + #""pauseSeconds":10,"leadInSeconds":0,"announcesLastMinute":false,"isUrgent":false,"volume":100,"#
                + #""createdAt":"2027-01-15T08:00:00.000000Z","isHiddenInList":true}"#)
    }
}

@Suite struct EndOfTimerTests {
    /// The words stay as they are until the moment that is told, and are others from then on.
    @Test(arguments: [0, 1, 59, 60, 61, 3_599, 7_199, 7_200, 9_000, 172_799, 172_800, 200_000])
    func theWordsOfAnEndChangeWhenTheySay(ago: Int) {
        let end = Timestamp(microseconds: 1_800_000_000_700_000)
        let now = Timestamp(microseconds: end.microseconds + Int64(ago) * 1_000_000)
        let change = TimerReport.agoChanges(end, after: now)
        let before = Timestamp(microseconds: change.microseconds - 1)
        #expect(now < change)
        #expect(TimerReport.ago(end, before) == TimerReport.ago(end, now))
        #expect(TimerReport.ago(end, change) != TimerReport.ago(end, now))
    }
}
