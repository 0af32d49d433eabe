internal import Glibc

/// The grown-up's PIN, kept as crypt(3) makes it: slow to guess, and with a salt.
public struct PIN: Hashable, Sendable {
    /// The stored form.
    let hash: String

    init(hash: String) { self.hash = hash }

    /// Makes the stored form of a PIN. The corresponding C functions are `crypt_gensalt(3)` and `crypt(3)`.
    ///
    /// - Returns: `nil` where the system's libcrypt cannot.
    public init?(_ text: String) {
        // The strongest method that this libcrypt offers, with its own cost.
        guard let gensalt = Libcrypt.function("crypt_gensalt", as: Libcrypt.Gensalt.self),
            let setting = gensalt(nil, 0, nil, 0).map({ String(cString: $0) }),
            let hash = Self.crypt(text, setting)
        else { return nil }
        self.hash = hash
    }

    /// Whether a text is this PIN.
    public func matches(_ text: String) -> Bool { Self.crypt(text, hash) == hash }

    private static func crypt(_ text: String, _ setting: String) -> String? {
        guard let crypt = Libcrypt.function("crypt", as: Libcrypt.Crypt.self),
            let result = crypt(text, setting).map({ String(cString: $0) }), !result.hasPrefix("*")
        else { return nil }
        return result
    }
}

/// The system's libcrypt. It is loaded with the first PIN, so that a program that only counts does without it.
private enum Libcrypt {
    typealias Text = UnsafePointer<CChar>
    typealias Crypt = @convention(c) (Text?, Text?) -> UnsafeMutablePointer<CChar>?
    typealias Gensalt = @convention(c) (Text?, CUnsignedLong, Text?, CInt) -> UnsafeMutablePointer<CChar>?

    // Version 2 is version 1 without functions that are not used here.
    private nonisolated(unsafe) static let library = ["libcrypt.so.1", "libcrypt.so.2"].lazy
        .compactMap { dlopen($0, RTLD_NOW) }.first

    /// The corresponding C function is `dlsym(3)`.
    static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        library.flatMap { dlsym($0, name) }.map { unsafeBitCast($0, to: type) }
    }
}
