import Glibc
import Linux
import Testing

@Suite struct PollTests {
    @Test func aDeadlineThatHasPassedDoesNotWait() throws {
        let (end, other) = try PacketSocket.pair()
        var set = PollSet()
        let place = set.add(end.number)
        try set.wait(until: MonotonicTime(microseconds: 0))
        #expect(set.result(at: place).isEmpty)
        withExtendedLifetime(other) {}
    }

    /// poll(2) counts in milliseconds: a timeout that is rounded down would make it return early, again and again.
    @Test func itNeverReturnsBeforeItsDeadline() throws {
        for microseconds in [1, 300, 999, 1_001, 2_500] as [Int64] {
            var set = PollSet()
            let deadline = MonotonicTime.now + .microseconds(microseconds)
            try set.wait(until: deadline)
            #expect(MonotonicTime.now >= deadline)
        }
    }

    @Test func itTellsWhichDescriptorIsReadable() throws {
        let (first, otherOfFirst) = try PacketSocket.pair()
        let (second, otherOfSecond) = try PacketSocket.pair()
        try otherOfSecond.send([1])
        var set = PollSet()
        let indices = [first, second].map { set.add($0.number) }
        try set.wait()
        #expect(indices.map { set.result(at: $0).isReadable } == [false, true])
        #expect(indices.map { set.result(at: $0).isGone } == [false, false])
        withExtendedLifetime(otherOfFirst) {}
    }

    @Test func itTellsThatTheOtherEndIsGone() throws {
        let end = try PacketSocket.lonelyEnd()
        var set = PollSet()
        let place = set.add(end.number)
        try set.wait()
        #expect(set.result(at: place).isGone)
    }

    @Test func aClosedNumberIsGoneToo() throws {
        var set = PollSet()
        let place = set.add(CInt.max)
        try set.wait()
        #expect(set.result(at: place).isGone)
        #expect(!set.result(at: place).isReadable)
    }

    @Test func removedDescriptorsAreForgotten() throws {
        let (end, other) = try PacketSocket.pair()
        try other.send([1])
        var set = PollSet()
        set.add(end.number)
        set.removeAll()
        #expect(set.add(CInt.max) == 0)
        let deadline = MonotonicTime.now + .seconds(60)
        try set.wait(until: deadline)
        #expect(MonotonicTime.now < deadline)
    }
}
