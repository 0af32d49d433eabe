/// A small random number generator with the same sequence on every machine (Steele, Lea and Flood, 2014).
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to but excluding `limit`.
    package mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() >> 1) % limit }

    /// One of the elements; the array must not be empty.
    package mutating func element<Element>(of array: [Element]) -> Element { array[below(array.count)] }
}

/// Changes valid input a little: input that is almost valid finds more mistakes in a parser than noise does.
package enum Mutation {
    package static func of(
        _ bytes: [UInt8], splicing other: [UInt8], _ random: inout SplitMix64
    ) -> [UInt8] {
        var changed = bytes
        for _ in 0...random.below(4) { change(&changed, other, &random) }
        return changed
    }

    private static func change(_ bytes: inout [UInt8], _ other: [UInt8], _ random: inout SplitMix64) {
        let place = random.below(bytes.count + 1)
        switch random.below(9) {
        case 0, 1: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.below(8)) }
        case 2: bytes.removeSubrange(place...)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(8)))
        case 4: bytes.replaceSubrange(place..., with: other.suffix(random.below(other.count + 1)))
        case 5: bytes.insert(contentsOf: bytes.suffix(random.below(bytes.count + 1)), at: place)
        case 6: replaceNumber(in: &bytes, &random)
        case 7: bytes.insert(contentsOf: nesting(&random), at: place)
        default: bytes.insert(contentsOf: nasty[random.below(nasty.count)], at: place)
        }
    }

    /// Invalid UTF-8, controls, C1, bidirectional, escapes, halves of surrogates, formulas.
    private static let nasty: [[UInt8]] =
        [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0], [0x1B], [0x7F],
            [0xC2, 0x9B],
        ]
        + [
            "\u{202E}", "\"", "\\", "\\ud800", "\\u0000", "\\u001b", "\"\"", ",", "=1+1", "{", "]",
            "\u{FEFF}",
        ]
        .map { Array($0.utf8) }

    private static func nesting(_ random: inout SplitMix64) -> [UInt8] {
        // Seldom deeply nested, and seldom longer than a line may be.
        let depth = random.below(20) == 0 ? random.below(20_000) : random.below(8)
        return [UInt8](repeating: Array("[{(\"".utf8)[random.below(4)], count: depth)
    }

    private static func replaceNumber(in bytes: inout [UInt8], _ random: inout SplitMix64) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let starts = bytes.indices.filter { digits.contains(bytes[$0]) }
        guard !starts.isEmpty else { return }
        let start = starts[random.below(starts.count)]
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
        let numbers = [
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e999", "-0", "1e-400",
            String(repeating: "9", count: 400), "0.1", "00", "NaN",
        ]
        bytes.replaceSubrange(start..<end, with: numbers[random.below(numbers.count)].utf8)
    }
}
