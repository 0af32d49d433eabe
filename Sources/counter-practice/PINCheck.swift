import Linux
import Practice

/// Checks the grown-up's PIN. A try is stored before it is made, so that a program that is killed gives none for free.
struct PINCheck {
    let store: SettingsStore

    func check(_ text: String) -> PINAnswer {
        do throws(StoreError) {
            guard let pin = try store.pin() else { return .failed("There is no PIN.") }
            var attempts = try store.attempts()
            let now = BootMoment.now
            guard attempts.begin(at: now) else { return .wait(attempts.wait(at: now)) }
            try store.save(attempts)
            guard pin.matches(text) else { return .wrong }
            attempts.succeed()
            try store.save(attempts)
            return .right
        } catch { return .failed("\(error)") }
    }
}

extension BootMoment {
    /// The present moment.
    static var now: BootMoment {
        BootMoment(bootId: Clock.bootId ?? "", sinceBoot: .microseconds(Clock.boottime.microseconds))
    }
}
