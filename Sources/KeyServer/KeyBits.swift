import CEvdev

/// A set of key codes in the kernel's own layout, for EVIOCGKEY and EVIOCSMASK.
struct KeyBits: Hashable {
    /// KEY_CNT bits in whole words: the kernel reads masks in multiples of 8 bytes.
    private var words = [UInt64](repeating: 0, count: Int(KEY_CNT) / 64)

    init(_ codes: some Sequence<UInt16> = []) {
        for code in codes where code < KEY_CNT { words[Int(code) / 64] |= 1 << (UInt64(code) % 64) }
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    var codes: [UInt16] { (0..<UInt16(KEY_CNT)).filter { words[Int($0) / 64] >> UInt64($0 % 64) & 1 == 1 } }

    func intersection(_ other: KeyBits) -> KeyBits {
        var result = self
        for index in words.indices { result.words[index] &= other.words[index] }
        return result
    }

    func isSubset(of other: KeyBits) -> Bool { zip(words, other.words).allSatisfy { $0 & ~$1 == 0 } }

    static var byteCount: UInt32 { UInt32(KEY_CNT) / 8 }

    func withUnsafeWords<R>(_ body: (UnsafePointer<UInt64>) -> R) -> R {
        // An array of 12 words always has a base address.
        words.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
    }

    mutating func withUnsafeMutableWords<R>(_ body: (UnsafeMutablePointer<UInt64>) -> R) -> R {
        words.withUnsafeMutableBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
    }
}
