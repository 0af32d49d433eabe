/// One character for each piece of time: the higher, the more happened in it.
struct Sparkline {
    /// From nothing to most. Nothing looks like nothing else.
    private static let steps: [Look.Glyphs: [Character]] = [
        .quadrants: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], .halves: ["_", "▄", "█"],
        .ascii: ["_", ".", ":", "+", "*", "#"],
    ]

    /// What is shown, one number for each character; none is negative.
    let values: [Int]

    /// Adds up neighbours until there are at most `columns` numbers, each of as many values as all others.
    init(_ values: [Int], columns: Int) {
        let size = (1...max(1, values.count)).first {
            values.count % $0 == 0 && values.count / $0 <= columns
        }
        guard let size else {
            self.values = []
            return
        }
        self.values = stride(from: 0, to: values.count, by: size).map {
            values[$0..<($0 + size)].reduce(0, +)
        }
    }

    /// The line; `most` reaches the top, and is at least the highest of the values.
    func text(upTo most: Int, glyphs: Look.Glyphs) -> String {
        let steps = Self.steps[glyphs] ?? []
        return String(values.map { steps[Self.step($0, of: most, steps: steps.count - 1)] })
    }

    // Rounded up: the least that is more than nothing is seen.
    private static func step(_ value: Int, of most: Int, steps: Int) -> Int {
        most > 0 ? (min(value, most) * steps + most - 1) / most : 0
    }
}
