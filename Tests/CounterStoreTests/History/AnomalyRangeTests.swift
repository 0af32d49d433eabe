import CounterModel
import Linux
import Testing

@testable import CounterStore

@Suite final class AnomalyRangeTests: NewJournal {
    private func minute(_ number: Int64) -> Timestamp { Timestamp(microseconds: number * 60_000_000) }

    /// A count of a device, received at a minute.
    private func count(
        _ device: Identifier, _ number: Int?, at: Int64, ahead: Int64 = 0
    ) throws {
        let time = minute(at + ahead).microseconds
        try journal.append(Ask.count(at: time, device: device, number: number), at: minute(at))
    }

    @Test func `What happens as the range ends is not in it`() throws {
        let time = minute(61).microseconds + 7
        try journal.append(Ask.count(at: time), at: minute(62))
        func entries(before end: Int64) throws -> Int {
            try journal.kpis(from: minute(60), to: Timestamp(microseconds: end)).totalIn
        }
        #expect(try entries(before: time) == 0)
        #expect(try entries(before: time + 1) == 1)
    }

    @Test func `A part of a day shows the silences that the day shows`() throws {
        for moment in [540, 1080] as [Int64] { try count("door", nil, at: moment) }
        var tally = try #require(try journal.location(named: "default"))
        tally.timezone = "UTC"
        let calendar = tally.calendar(for: minute(0)...minute(3_000))
        for (from, to, silence) in [
            (0, 1_440, 540..<1_080), (840, 900, 840..<900), (1_070, 1_440, 1_070..<1_080),
            (0, 545, 540..<545),
            (1_081, 1_440, nil), (0, 540, nil),
        ] as [(Int64, Int64, Range<Int64>?)] {
            let kpis = try journal.kpis(
                of: tally, in: minute(from)..<minute(to), calendar, silentAfter: .seconds(3_600),
                now: minute(3_000))
            let expected = silence.map { [Anomaly.silence(minute($0.lowerBound)..<minute($0.upperBound))] }
            #expect(kpis.anomalies == expected ?? [], "\(from) to \(to)")
        }
    }

    @Test func `Minutes in a row in which a place is overcrowded are one span`() throws {
        try journal.ask(Ask.setting(.capacity(1)))
        for end in 60...62 as ClosedRange<Int64> { try count("door", nil, at: end) }
        let kpis = try journal.kpis(from: minute(60), to: minute(64))
        #expect(kpis.anomalies == [.overcrowding(minute(61)..<minute(64), highest: 3)])
    }

    /// Within one minute: a level of 5 at capacity 12, 3 leave, then the capacity becomes 4; and a level of 5 at
    /// capacity 2, then it becomes 20.
    @Test(
        arguments: [
            ([(0, .capacity(12)), (10, nil), (20, .capacity(4))], [5, -3], nil),
            ([(0, .capacity(2)), (10, nil), (20, .capacity(20))], [5], 5),
        ] as [([(Int64, LocationSetting?)], [Int], Int?)])
    func `The capacity that holds at the moment decides what is overcrowded`(
        moments: [(Int64, LocationSetting?)], amounts: [Int], highest: Int?
    ) throws {
        let start = minute(60).microseconds
        for (second, setting) in moments {
            let time = start + second * 1_000_000
            let requests =
                setting.map { [Ask.setting($0, at: time)] }
                ?? amounts.flatMap {
                    Array(repeating: Ask.count($0 > 0 ? .in : .out, at: time), count: abs($0))
                }
            _ = try journal.append(requests, receivedAt: Timestamp(microseconds: time))
        }
        let kpis = try journal.kpis(from: minute(60), to: minute(64))
        #expect(
            kpis.anomalies == (highest.map { [.overcrowding(minute(60)..<minute(61), highest: $0)] } ?? []))
    }

    @Test func `What was noticed as the range begins is in it, and what was as it ends is not`() throws {
        try count("gap", 1, at: 10)
        try count("again", 1, at: 10)
        for (number, end) in [(3, 60), (5, 120)] as [(Int, Int64)] {
            try count("gap", number, at: end)
            try count("again", 1, at: end)
            try count("early", nil, at: end, ahead: 5)
        }
        let kpis = try journal.kpis(from: minute(60), to: minute(120), now: minute(200))
        #expect(
            Set(kpis.anomalies) == [
                .sequenceGap(deviceId: "gap", first: 2, last: 2, at: minute(60)),
                .restart(deviceId: "again", epoch: 1, at: minute(60)),
                .clockSkew(deviceId: "early", timestamp: minute(65), receivedAt: minute(60)),
            ])
        let rows = try journal.history(
            of: "default", HistoryPage(range: minute(60)..<minute(120), isBackward: false, limit: 9))
        #expect(rows.map(\.countedAt) == Array(repeating: minute(60), count: 3))
    }
}
