import Testing

@testable import CounterModel

@Suite struct DateTimeTextTests {
    @Test(
        arguments: [
            ("2026-01-14T13:03:59Z", 1_768_395_839_000_000), ("2026-01-14t13:03:59z", 1_768_395_839_000_000),
            ("2026-01-14 13:03:59+00:00", 1_768_395_839_000_000),
            ("2026-01-14T14:03:59+01:00", 1_768_395_839_000_000),
            ("2026-01-14T09:33:59-0330", 1_768_395_839_000_000),
            ("2026-01-14T18:03:59+05", 1_768_395_839_000_000),
            ("2026-01-14T13:03:59.12Z", 1_768_395_839_120_000),
            ("2026-01-14T13:03:59,1234567Z", 1_768_395_839_123_456), ("1969-12-31T23:59:59.5Z", -500_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
        ] as [(String, Int64)])
    func `A time with its offset is a moment`(text: String, microseconds: Int64) {
        #expect(Timestamp(iso8601: text)?.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "2026-01-14", "2026-01-14T13:03:59", "2026-01-14T13:03Z", "2026-01-14T13:03:5Z",
        "2026-01-14T24:00:00Z",
        "2026-01-14T13:60:00Z", "2026-01-14T13:00:60Z", "2026-02-30T13:00:00Z", "2026-01-14T13:03:59.Z",
        "2026-01-14T13:03:59+1:00", "2026-01-14T13:03:59+24:00", "2026-01-14T13:03:59+01:60",
        "2026-01-14T13:03:59+01:", "2026-01-14T13:03:59+01:0000", "2026-01-14T13:03:59 Z",
        "2026-01-14T13:03:59Zz", "2026-01-14T-1:03:59Z", "2026-01-14T٣٣:03:59Z", "2026-01-14T13:03:59+0:100",
    ])
    func `What is no moment is refused`(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test(
        arguments: [0, 1, -1, 999_999, -1_000_000, 1_768_395_839_120_000, -62_135_596_800_000_000] as [Int64])
    func `A moment is written so that it can be read again`(microseconds: Int64) {
        let moment = Timestamp(microseconds: microseconds)
        #expect(Timestamp(iso8601: moment.iso8601) == moment)
    }

    @Test func `A moment is written in UTC, with microseconds`() {
        #expect(Timestamp(microseconds: 1_768_395_839_120_000).iso8601 == "2026-01-14T13:03:59.120000Z")
        #expect(Timestamp(microseconds: -1).iso8601 == "1969-12-31T23:59:59.999999Z")
    }

    @Test func `Whole seconds are rounded down, and end where moments do`() {
        #expect(Timestamp(microseconds: -1).seconds == -1)
        #expect(Timestamp(microseconds: -1).fraction == 999_999)
        #expect(Timestamp(microseconds: 1_999_999).seconds == 1)
        #expect(Timestamp(seconds: .max).microseconds == .max)
        #expect(Timestamp(seconds: .min).microseconds == .min)
        #expect(Timestamp(seconds: -7).microseconds == -7_000_000)
    }
}

@Suite struct TimestampTests {
    /// (the event's own time, when it was received, when it counts), in microseconds.
    @Test(
        arguments: [
            (1_000, 1_000, 1_000),
            (-5, 1_000, -5),
            (1_001, 1_000, 1_000),
            (300_001_001, 1_000, 1_000),
            (Int64.max, Int64.max - 1, Int64.max - 1),
            (Int64.max, Int64.min, Int64.min),
            (Int64.min, Int64.max, Int64.min),
        ] as [(Int64, Int64, Int64)])
    func nothingCountsLaterThanItWasReceived(own: Int64, received: Int64, counted: Int64) {
        let time = Timestamp(microseconds: own).counted(receivedAt: Timestamp(microseconds: received))
        #expect(time == Timestamp(microseconds: counted))
    }

    @Test func sumsStopAtTheEndsOfTimeAndDifferencesAreExact() {
        let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
        #expect(first - .seconds(1) == first && last + .seconds(1) == last)
        #expect(last + .seconds(-1) == last - .seconds(1) && last - .seconds(1) < last)
        #expect(last - first == .microseconds(Int64.max) - .microseconds(Int64.min))
        #expect(Timestamp(seconds: 5) - Timestamp(seconds: 7) == .seconds(-2))
    }
}
