/// A small random number generator with the same sequence on every machine (Steele, Lea and Flood, 2014).
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// A generator at the start of the sequence of `seed`.
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
