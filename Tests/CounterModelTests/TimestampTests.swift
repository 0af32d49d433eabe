import CounterModel
import Testing

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

    @Test func ordersByTime() {
        #expect(Timestamp(microseconds: -1) < Timestamp(microseconds: 0))
        #expect(Position.start < Position(1))
    }
}
