import CounterModel
import Testing

/// The reason of a refusal, with and without the location's name.
@Suite struct RefusalTests {
    @Test(arguments: [
        (Refusal.full(room: 0), "the location is full", "'Hall' is full"),
        (.full(room: 3), "the location has room for 3 only", "'Hall' has room for 3 only"),
        (.empty(inside: 0), "nobody is inside", "nobody is inside 'Hall'"),
        (.empty(inside: 2), "only 2 are inside", "only 2 are inside 'Hall'"),
        (.overflow, "the count can go no further", "the count can go no further"),
        (.unknownLocation, "the location is gone", "'Hall' is gone"),
    ])
    func `It reads as a clause`(refusal: Refusal, alone: String, named: String) {
        #expect(refusal.reason() == alone)
        #expect(refusal.reason(at: "Hall") == named)
    }
}
