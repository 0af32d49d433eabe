import Descriptors
import Glibc
import Testing

/// On a thread of its own: what a thread blocks stays with it, and only signals sent to that thread are read here.
@Suite struct SignalDescriptorTests {
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread and waits for it.
    private func onItsOwnThread(_ body: @escaping () -> Void) {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(Body(body)).toOpaque()
        pthread_create(
            &thread, nil,
            { argument in
                argument.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, argument)
        pthread_join(thread, nil)
    }

    private func isReadable(_ number: CInt) throws -> Bool {
        var set = PollSet()
        let place = set.add(number)
        try set.wait(until: MonotonicTime(microseconds: 0))
        return set.result(at: place).isReadable
    }

    @Test func signalsBecomeSomethingToRead() {
        onItsOwnThread {
            do {
                let signals = try SignalDescriptor([SIGUSR1, SIGUSR2])
                #expect(signals.next() == nil)
                #expect(try !isReadable(signals.number))
                pthread_kill(pthread_self(), SIGUSR2)
                pthread_kill(pthread_self(), SIGUSR1)
                #expect(try isReadable(signals.number))
                #expect(
                    [signals.next(), signals.next()].compactMap(\.self).sorted()
                        == [SIGUSR1, SIGUSR2].sorted())
                #expect(signals.next() == nil)
                #expect(try !isReadable(signals.number))
            } catch { Issue.record(error) }
        }
    }

    @Test func aSignalThatCameTwiceIsToldOnce() {
        onItsOwnThread {
            do {
                let signals = try SignalDescriptor([SIGUSR1])
                for _ in 0..<2 { pthread_kill(pthread_self(), SIGUSR1) }
                #expect(signals.next() == SIGUSR1)
                #expect(signals.next() == nil)
            } catch { Issue.record(error) }
        }
    }
}
