import Testing

@testable import CounterModel

@Suite struct ZoneOffsetsTests {
    /// One hour ahead until second 1000, then two; from 5000 on one again.
    let zone = ZoneOffsets(
        initial: UTCOffset(seconds: 3600),
        changes: [
            .init(start: Timestamp(seconds: 1000), offset: UTCOffset(seconds: 7200)),
            .init(start: Timestamp(seconds: 5000), offset: UTCOffset(seconds: 3600)),
        ])

    @Test(arguments: [
        (Int64.min, 3600), (999_999_999, 3600), (1_000_000_000, 7200), (4_999_999_999, 7200),
        (5_000_000_000, 3600), (Int64.max, 3600),
    ])
    func `An offset holds from its first microsecond to the next one's`(microseconds: Int64, offset: Int) {
        #expect(zone.offset(at: Timestamp(microseconds: microseconds)).seconds == offset)
    }

    @Test(arguments: [(8_599, false), (8_600, true), (12_199, true), (12_200, false)])
    func `A local time is repeated from the hour's first second to its last`(second: Int, isRepeated: Bool) {
        #expect(zone.isRepeated(LocalDateTime(clockSeconds: second)) == isRepeated)
    }

    @Test func `Any number of changes are told apart`() {
        let changes = (1...999).map { number in
            ZoneOffsets.Change(
                start: Timestamp(seconds: number * 10), offset: UTCOffset(seconds: number % 50))
        }
        let zone = ZoneOffsets(initial: UTCOffset(seconds: 77), changes: changes)
        #expect(zone.offset(at: Timestamp(seconds: 9)).seconds == 77)
        for number in 1...999 {
            #expect(zone.offset(at: Timestamp(seconds: number * 10)).seconds == number % 50)
            #expect(zone.offset(at: Timestamp(seconds: number * 10 + 9)).seconds == number % 50)
        }
    }

    @Test func `A change to the same offset is none`() {
        let same = ZoneOffsets.Change(start: Timestamp(seconds: 7), offset: UTCOffset(seconds: 60))
        #expect(
            ZoneOffsets(initial: UTCOffset(seconds: 60), changes: [same])
                == ZoneOffsets(initial: UTCOffset(seconds: 60)))
    }

    /// (what clocks show, when they first show it), in seconds. They jump from 4600 to 8200, and from 12,200 to 8600.
    @Test(arguments: [
        (4599, 999), (4600, 1000), (8199, 1000), (8200, 1000), (8201, 1001), (8599, 1399), (8600, 1400),
        (12_199, 4999), (12_200, 8600),
    ])
    func `A time that is skipped gives the end of the gap, a repeated one the first`(clock: Int, second: Int)
    {
        #expect(zone.firstSecond(showing: LocalDateTime(clockSeconds: clock)) == second)
    }

    @Test func `Local time is what calendar and clock show`() {
        #expect(zone.local(at: Timestamp(seconds: -3601)).description == "1969-12-31 23:59:59")
        #expect(zone.local(at: Timestamp(microseconds: -1)).description == "1970-01-01 00:59:59")
        #expect(zone.local(at: Timestamp(seconds: 1000)).description == "1970-01-01 02:16:40")
        let local = zone.local(at: Timestamp(seconds: 5000))
        #expect([local.hour, local.minute, local.second] == [2, 23, 20])
    }

    @Test func `A date with an hour is one that a clock can show`() throws {
        let date = CalendarDate(dayNumber: -1)
        let time = LocalDateTime(date: date, hour: 23, minute: 59, second: 58)
        #expect(time?.description == "1969-12-31 23:59:58")
        #expect(LocalDateTime(date: date, hour: 24) == nil)
        #expect(LocalDateTime(date: date, hour: -1) == nil)
        #expect(LocalDateTime(date: date, hour: 0, minute: 60) == nil)
        #expect(LocalDateTime(date: date, hour: 0, second: 60) == nil)
    }

    @Test(arguments: [
        (0, "+00:00"), (3600, "+01:00"), (-12_600, "-03:30"), (20_700, "+05:45"), (-1172, "-00:19:32"),
        (93_599, "+25:59:59"),
    ])
    func `An offset is written by ISO 8601`(seconds: Int, text: String) {
        #expect(UTCOffset(seconds: seconds).description == text)
    }
}
