import Glibc
import Linux
import TestSupport
import Testing

/// On a thread of its own: the signal mask is the thread's, and only signals sent to that thread are read here.
@Suite struct SignalDescriptorTests {
    private func isReadable(_ number: CInt) throws -> Bool {
        var set = PollSet()
        let place = set.add(number)
        try set.wait(until: MonotonicTime(microseconds: 0))
        return set.result(at: place).isReadable
    }

    /// What a descriptor for SIGUSR1 and SIGUSR2 reports after these were sent: whether it was readable before and
    /// after reading, and the signals.
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

    @Test func signalsBecomeSomethingToRead() throws {
        let (readable, signals) = try told(sending: [SIGUSR2, SIGUSR1])
        #expect(readable == [true, false])
        #expect(signals.sorted() == [SIGUSR1, SIGUSR2])
    }

    @Test func aSignalThatCameTwiceIsToldOnce() throws {
        #expect(try told(sending: [SIGUSR1, SIGUSR1]).signals == [SIGUSR1])
    }

    @Test func withoutASignalThereIsNothing() throws {
        let (readable, signals) = try told(sending: [])
        #expect(readable == [false, false])
        #expect(signals.isEmpty)
    }
}
