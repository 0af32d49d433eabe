import Linux
import Reports
import Testing

@Suite struct ReadingPaceTests {
    @Test func `A reading of a second is not repeated for ten`() {
        let start = MonotonicTime.now
        var pace = ReadingPace(at: start)
        #expect(pace.next == start)
        pace.note(from: start, to: start + .seconds(1))
        #expect(pace.next == start + .seconds(11))
    }
}
