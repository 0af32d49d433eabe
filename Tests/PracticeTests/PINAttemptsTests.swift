import Practice
import Testing

@Suite struct PINAttemptsTests {
    private func moment(_ seconds: Int, boot: String = "first") -> BootMoment {
        BootMoment(bootId: boot, sinceBoot: .seconds(seconds))
    }

    /// The attempts after a number of failures, the last one at `second`.
    private func failed(_ times: Int, at second: Int = 0) -> PINAttempts {
        PINAttempts(failures: times, lastTry: times == 0 ? nil : moment(second))
    }

    @Test func `Five tries are free, then the waits double up to an hour`() {
        let waits = (0...14).map { Int(failed($0).wait(at: moment(0)).components.seconds) }
        #expect(waits == [0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
        #expect(failed(1_000_000).wait(at: moment(0)) == .seconds(3600))
    }

    @Test func `A try before the end of the wait is not made and changes nothing`() {
        var attempts = failed(5)
        let before = attempts
        let early = attempts.begin(at: moment(29))
        #expect(!early && attempts == before)
        let due = attempts.begin(at: moment(30))
        #expect(due && attempts.failures == 6)
        #expect(attempts.wait(at: moment(31)) == .seconds(59))
    }

    @Test func `A guesser has under forty tries in a day`() {
        var attempts = PINAttempts()
        var second = 0
        while second < 86_400 {
            while attempts.begin(at: moment(second)) {}
            second += 1
        }
        #expect(attempts.failures < 40)
    }

    @Test func `The right PIN makes all tries free again`() {
        var attempts = failed(9)
        attempts.succeed()
        #expect(attempts == PINAttempts() && attempts.wait(at: moment(0)) == .zero)
    }

    @Test func `A try counts as failed until it has succeeded`() {
        var attempts = PINAttempts()
        let mayTry = attempts.begin(at: moment(3))
        #expect(mayTry && attempts == PINAttempts(failures: 1, lastTry: moment(3)))
    }

    @Test func `A restart of the machine begins the wait again`() {
        let attempts = failed(7, at: 5_000)
        #expect(attempts.wait(at: moment(5_100)) == .seconds(20))
        #expect(attempts.wait(at: moment(10, boot: "second")) == .seconds(110))
        #expect(attempts.wait(at: moment(120, boot: "second")) == .zero)
    }

    @Test func `Stored attempts from later than now wait in full`() {
        #expect(failed(5, at: 5_000).wait(at: moment(10)) == .seconds(30))
    }

    @Test(arguments: [
        ("1234", true), ("000000000000", true), ("123", false), ("1234567890123", false), ("12a4", false),
        ("", false), ("١٢٣٤", false), ("12 34", false), ("-123", false),
    ])
    func `A PIN has 4 to 12 digits`(pin: String, admitted: Bool) {
        #expect(PIN.admits(pin) == admitted)
    }
}
