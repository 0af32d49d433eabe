import CounterModel
import Testing

@testable import Reports

@Suite("Rate of counts") struct ChangeRateTests {
    private static let start = Timestamp(microseconds: 1_700_000_000_000_000)

    private var rate: ChangeRate {
        var rate = ChangeRate()
        rate.note(.up(2), at: Self.start)
        rate.note(.down(1), at: Self.start + .seconds(20))
        return rate
    }

    @Test func `It is of the last minute, and falls though nothing is counted`() {
        for (seconds, expected, fall) in [(20, 3, 60), (59, 3, 60), (60, 1, 80), (79, 1, 80)] {
            let now = Self.start + .seconds(seconds)
            #expect(rate.perMinute(at: now) == expected)
            #expect(rate.nextFall(after: now) == Self.start + .seconds(fall))
        }
    }

    @Test func `There is none once the minute is over, and nothing more is due`() {
        #expect(rate.perMinute(at: Self.start + .seconds(80)) == nil)
        #expect(rate.nextFall(after: Self.start + .seconds(80)) == nil)
        #expect(rate.last?.at == Self.start + .seconds(20))
    }

    @Test func `A clock that is set leaves no rate`() {
        var rate = rate
        rate.forgetTimes()
        #expect(rate.perMinute(at: Self.start + .seconds(20)) == nil)
    }
}
