import Glibc
import Linux

/// The rows of the bench: what was measured, beside what, and the goal.
enum Table {
    private static let widths = [44, 12, 12, 30, 9]

    static func header() { line("what", "counter", "beside it", "", "ratio", "to reach") }

    /// A row with a ratio.
    static func row(
        _ what: String, _ unit: String, _ value: Double, beside name: String, _ reference: Double,
        goal: String = ""
    ) {
        let ratio = reference == 0 ? (value == 0 ? "=" : "∞") : rounded(value / reference) + " ×"
        line(what, "\(rounded(value)) \(unit)", "\(rounded(reference)) \(unit)", name, ratio, goal)
    }

    /// Two rows of one measurement: the median and the 99th percentile, in milliseconds.
    static func rows(
        _ what: String, _ samples: Samples, beside name: String, _ reference: Samples,
        goals: (p50: String, p99: String) = ("", "")
    ) {
        for (quantile, part, goal) in [("p50", 0.5, goals.p50), ("p99", 0.99, goals.p99)] {
            row(
                "\(what), \(quantile)", "ms", samples.quantile(part), beside: name, reference.quantile(part),
                goal: goal)
        }
    }

    private static func line(_ cells: String...) {
        let padded = zip(cells, widths + [0]).map {
            $0 + String(repeating: " ", count: max(0, $1 - $0.count))
        }
        // Written at once: the next row may take a minute.
        try? Output.write(padded.joined(separator: " ") + "\n", to: STDOUT_FILENO)
    }

    private static func rounded(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}

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
