import CCrypt
import Glibc

/// The grown-up's PIN, kept as crypt(3) makes it: slow to guess, and with a salt.
package struct PIN: Hashable, Sendable {
    /// The stored form.
    let hash: String

    init(hash: String) { self.hash = hash }

    /// Makes the stored form of a PIN. The corresponding C functions are `crypt_gensalt(3)` and `crypt(3)`.
    ///
    /// - Returns: `nil` where the system's libcrypt cannot.
    package init?(_ text: String) {
        // The strongest method that this libcrypt offers, with its own cost.
        guard let setting = crypt_gensalt(nil, 0, nil, 0).map({ String(cString: $0) }),
            let hash = Self.crypt(text, setting)
        else { return nil }
        self.hash = hash
    }

    /// Whether a text is this PIN.
    package func matches(_ text: String) -> Bool { Self.crypt(text, hash) == hash }

    private static func crypt(_ text: String, _ setting: String) -> String? {
        guard let result = CCrypt.crypt(text, setting).map({ String(cString: $0) }), !result.hasPrefix("*")
        else {
            return nil
        }
        return result
    }
}
