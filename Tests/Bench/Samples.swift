/// Durations of the same thing, measured many times.
struct Samples {
    private let sorted: [Double]

    init(_ durations: [Duration]) { sorted = durations.map(\.milliseconds).sorted() }

    /// A quantile in milliseconds; `part` is 0 to 1.
    func quantile(_ part: Double) -> Double {
        sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}

extension Duration {
    var milliseconds: Double {
        Double(components.attoseconds) / 1e15 + Double(components.seconds) * 1e3
    }
}
