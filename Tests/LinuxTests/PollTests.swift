import Glibc
import Linux
import TestSupport
import Testing

@Suite struct PollTests {
    @Test func `A deadline that has passed does not wait`() throws {
        let (end, other) = try PacketSocket.pair()
        var set = PollSet()
        let place = set.add(end.number)
        try set.wait(until: MonotonicTime(microseconds: 0))
        #expect(set.result(at: place).isEmpty)
        withExtendedLifetime(other) {}
    }

    /// poll(2) counts in milliseconds: a timeout that is rounded down would make it return early, again and again.
    @Test func `It never returns before its deadline`() throws {
        for microseconds in [1, 300, 999, 1_001, 2_500] as [Int64] {
            var set = PollSet()
            let deadline = MonotonicTime.now + .microseconds(microseconds)
            try set.wait(until: deadline)
            #expect(MonotonicTime.now >= deadline)
        }
    }

    @Test func `It tells which descriptor is readable`() throws {
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

    @Test func `It tells that the other end is gone`() throws {
        let end = try PacketSocket.lonelyEnd()
        var set = PollSet()
        let place = set.add(end.number)
        try set.wait()
        #expect(set.result(at: place).isGone)
    }

    @Test func `A closed number is gone too`() throws {
        var set = PollSet()
        let place = set.add(CInt.max)
        try set.wait()
        #expect(set.result(at: place).isGone)
        #expect(!set.result(at: place).isReadable)
    }

    @Test func `Removed descriptors are forgotten`() throws {
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

/// On a thread of its own: the signal mask is the thread's, and only signals sent to that thread are read here.
@Suite struct SignalDescriptorTests {
    /// Whether a descriptor for two signals was readable before and after reading, and what it has reported.
    private func told(sending signals: [CInt]) throws -> (readable: [Bool], signals: [CInt]) {
        try onItsOwnThread {
            let descriptor = try SignalDescriptor([SIGUSR1, SIGUSR2])
            for signal in signals { pthread_kill(pthread_self(), signal) }
            var readable = [try isReadable(descriptor.number)]
            let told = (0...signals.count).compactMap { _ in descriptor.next() }
            readable.append(try isReadable(descriptor.number))
            return (readable, told)
        }
    }

    @Test(
        arguments: [([], []), ([SIGUSR2, SIGUSR1], [SIGUSR1, SIGUSR2]), ([SIGUSR1, SIGUSR1], [SIGUSR1])]
            as [([CInt], [CInt])])
    func `Signals become something to read, one that came twice once`(sent: [CInt], expected: [CInt]) throws {
        let (readable, signals) = try told(sending: sent)
        #expect(readable == [!sent.isEmpty, false])
        #expect(signals.sorted() == expected)
    }
}
