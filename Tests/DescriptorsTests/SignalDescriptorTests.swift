import Descriptors
import Glibc
import TestSupport
import Testing

/// On a thread of its own: what a thread blocks stays with it, and only signals sent to that thread are read here.
@Suite struct SignalDescriptorTests {
    private func isReadable(_ number: CInt) throws -> Bool {
        var set = PollSet()
        let place = set.add(number)
        try set.wait(until: MonotonicTime(microseconds: 0))
        return set.result(at: place).isReadable
    }

    @Test func signalsBecomeSomethingToRead() throws {
        try onItsOwnThread {
            let signals = try SignalDescriptor([SIGUSR1, SIGUSR2])
            #expect(signals.next() == nil)
            #expect(try !isReadable(signals.number))
            pthread_kill(pthread_self(), SIGUSR2)
            pthread_kill(pthread_self(), SIGUSR1)
            #expect(try isReadable(signals.number))
            let arrived = [signals.next(), signals.next()].compactMap(\.self)
            #expect(arrived.sorted() == [SIGUSR1, SIGUSR2].sorted())
            #expect(signals.next() == nil)
            #expect(try !isReadable(signals.number))
        }
    }

    @Test func aSignalThatCameTwiceIsToldOnce() throws {
        try onItsOwnThread {
            let signals = try SignalDescriptor([SIGUSR1])
            for _ in 0..<2 { pthread_kill(pthread_self(), SIGUSR1) }
            #expect(signals.next() == SIGUSR1)
            #expect(signals.next() == nil)
        }
    }
}
