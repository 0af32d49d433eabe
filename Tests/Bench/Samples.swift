/// Durations of the same thing, measured many times.
struct Samples {
    private let sorted: [Double]

    init(_ durations: [Duration]) { sorted = durations.map(\.milliseconds).sorted() }

    /// A quantile in milliseconds; `part` is 0 to 1.
    func quantile(_ part: Double) -> Double {
        sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    /// The medians of two figures that are measured in turns, because a disk is not always equally fast.
    static func inTurns(_ rounds: Int, _ one: () throws -> Double, _ other: () throws -> Double) rethrows -> (
        one: Double, other: Double
    ) {
        var figures: [(one: Double, other: Double)] = []
        for _ in 0..<rounds { figures.append((try one(), try other())) }
        let middle = rounds / 2
        return (figures.map(\.one).sorted()[middle], figures.map(\.other).sorted()[middle])
    }
}

extension Duration {
    var milliseconds: Double {
        Double(components.attoseconds) / 1e15 + Double(components.seconds) * 1e3
    }
}
