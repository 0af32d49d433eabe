/// The random numbers of a level: the same from the same seed on every machine (SplitMix64; Steele, Lea and Flood, 2014).
struct LevelRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of the range, which must not be empty.
    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() >> 1) % range.count
    }

    /// One of the elements; there must be one.
    mutating func element<Element>(of elements: [Element]) -> Element {
        elements[number(in: 0...elements.count - 1)]
    }

    /// The elements in another order.
    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var shuffled = elements
        for last in stride(from: elements.count - 1, to: 0, by: -1) {
            shuffled.swapAt(last, number(in: 0...last))
        }
        return shuffled
    }
}
