import CCrypt
import Glibc

/// The grown-up's PIN, kept as crypt(3) makes it: slow to guess, and with a salt.
package struct PIN: Hashable, Sendable {
    let hash: String

    init(hash: String) { self.hash = hash }

    /// Makes the stored form of a PIN; `nil` where the system's libcrypt cannot. The corresponding C functions are
    /// `crypt_gensalt(3)` and `crypt(3)`.
    package init?(_ text: String) {
        // The strongest method that this libcrypt offers, with its own cost.
        guard let setting = crypt_gensalt(nil, 0, nil, 0).map({ String(cString: $0) }),
            let hash = Self.crypt(text, setting)
        else { return nil }
        self.hash = hash
    }

    package func matches(_ text: String) -> Bool { Self.crypt(text, hash) == hash }

    private static func crypt(_ text: String, _ setting: String) -> String? {
        let result = CCrypt.crypt(text, setting).map { String(cString: $0) }
        return result?.hasPrefix("*") == false ? result : nil
    }

    package static func admits(_ text: String) -> Bool {
        (4...12).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// A moment of a clock that nobody sets: the time since the machine started (`CLOCK_BOOTTIME`), and which start it was.
package struct BootMoment: Hashable, Sendable {
    /// `/proc/sys/kernel/random/boot_id` (random(4)).
    package let bootId: String
    /// The time since then, sleep included.
    package let sinceBoot: Duration
}

/// How often a wrong PIN was given, and how long to wait until the next try. To be stored before each check.
///
/// Five tries are free. Then each failure doubles the wait, from 30 s to an hour. A wait passes only while the machine runs,
/// so setting the clock does not shorten it, and a restart makes it longer.
package struct PINAttempts: Hashable, Sendable {
    /// Failures since the last right PIN.
    package private(set) var failures = 0
    /// When the last try was made; `nil` before the first one.
    package private(set) var lastTry: BootMoment?

    package static let freeTries = 5

    package func wait(at now: BootMoment) -> Duration {
        guard failures >= Self.freeTries, let lastTry else { return .zero }
        let whole = Duration.seconds(min(30 << min(failures - Self.freeTries, 10), 3600))
        let passed = lastTry.bootId == now.bootId ? now.sinceBoot - lastTry.sinceBoot : now.sinceBoot
        return max(.zero, whole - max(.zero, passed))
    }

    /// Begins a try, which counts as a failure until ``succeed()``: a program that is killed during the check gives no free
    /// try. Returns whether the PIN may be checked now.
    package mutating func begin(at now: BootMoment) -> Bool {
        guard wait(at: now) == .zero else { return false }
        failures += 1
        lastTry = now
        return true
    }

    package mutating func succeed() { self = PINAttempts() }
}
