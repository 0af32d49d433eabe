/// One character for each interval: the higher, the more entries it had.
struct Sparkline {
    /// From zero to the maximum. Only zero has the first character.
    private static let steps: [Look.Glyphs: [Character]] = [
        .quadrants: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], .halves: ["_", "▄", "█"],
        .ascii: ["_", ".", ":", "+", "*", "#"],
    ]

    /// The numbers, one for each character; none is negative.
    let values: [Int]

    /// Adds neighbouring values until there are at most `columns` numbers, each the sum of equally many values.
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

    /// The line; the value `most` has full height, and must be at least the highest value.
    func text(upTo most: Int, glyphs: Look.Glyphs) -> String {
        let steps = Self.steps[glyphs] ?? []
        return String(values.map { steps[Self.step($0, of: most, steps: steps.count - 1)] })
    }

    // Rounded up, so that every value above zero is visible.
    private static func step(_ value: Int, of most: Int, steps: Int) -> Int {
        most > 0 ? (min(value, most) * steps + most - 1) / most : 0
    }
}
