import CounterModel
import Testing

@testable import Reports

@Suite struct TimerCardTests {
    /// The words stay as they are until the moment that is told, and are others from then on.
    @Test(arguments: [0, 1, 59, 60, 61, 3_599, 7_199, 7_200, 9_000, 172_799, 172_800, 200_000])
    func theWordsOfAnEndChangeWhenTheySay(ago: Int) {
        let end = Timestamp(microseconds: 1_800_000_000_700_000)
        let now = Timestamp(microseconds: end.microseconds + Int64(ago) * 1_000_000)
        let change = TimerCard.agoChanges(end, after: now)
        let before = Timestamp(microseconds: change.microseconds - 1)
        #expect(now < change)
        #expect(TimerCard.ago(end, before) == TimerCard.ago(end, now))
        #expect(TimerCard.ago(end, change) != TimerCard.ago(end, now))
    }
}
