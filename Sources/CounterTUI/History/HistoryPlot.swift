/// How bars are laid out in the cells of a chart.
struct HistoryPlot {
    /// What numbers and the vertical axis take at the left: `out 118┤`.
    static let axisColumns = 8
    private static let widestStep = 9

    /// The bars, neighbours put together where there are more than columns.
    let bars: [HistorySummary.Bar]
    /// Columns from one bar to the next, and those that a bar fills.
    let step: Int, width: Int
    /// Rows above the axis and below it, which is one between them.
    let up: Int, down: Int
    /// Whether the last row is for marks.
    let hasMarks: Bool
    /// How many entries one row stands for.
    private let perRow: Double

    init(_ all: [HistorySummary.Bar], _ size: Size) {
        bars = Self.merged(all, columns: size.columns - Self.axisColumns)
        step = min(Self.widestStep, max(1, (size.columns - Self.axisColumns) / max(1, bars.count)))
        width = max(1, step - 1)
        hasMarks = size.rows >= 4 && bars.contains { !$0.marks.isEmpty }
        let free = max(0, size.rows - 1 - (hasMarks ? 1 : 0))
        let (ins, outs) = (bars.map(\.ins).max() ?? 0, bars.map(\.outs).max() ?? 0)
        down = Self.rows(below: free, ins: Double(ins), outs: Double(outs))
        up = free - down
        let scales = [(ins, up), (outs, down)].filter { $0.1 > 0 }.map { Double($0.0) / Double($0.1) }
        perRow = max(scales.max() ?? 0, .leastNonzeroMagnitude)
    }

    /// How many rows a number is high.
    func rows(of number: Int) -> Double { Double(number) / perRow }

    /// The number that so many rows reach to.
    func reach(of rows: Int) -> Int { Int((perRow * Double(rows)).rounded()) }

    // Both sides have the same scale, and no row more than they need.
    private static func rows(below free: Int, ins: Double, outs: Double) -> Int {
        guard outs > 0, free > 1 else { return 0 }
        guard ins > 0 else { return free }
        return min(free - 1, max(1, Int((Double(free) * outs / (ins + outs)).rounded())))
    }

    private static func merged(_ bars: [HistorySummary.Bar], columns: Int) -> [HistorySummary.Bar] {
        guard columns > 0 else { return [] }
        let size = max(1, (bars.count + columns - 1) / columns)
        return stride(from: 0, to: bars.count, by: size).map { start in
            bars[start..<min(start + size, bars.count)].reduce(into: nil as HistorySummary.Bar?) { sum, bar in
                sum = sum?.adding(bar) ?? bar
            }
        }.compactMap(\.self)
    }

    /// At most four characters: `9999`, `120k`, `3M`.
    static func short(_ number: Int) -> String {
        switch number {
        case ..<1000: "\(number)"
        case ..<1_000_000: "\(number / 1000)k"
        case ..<1_000_000_000: "\(number / 1_000_000)M"
        default: "+++"
        }
    }
}

extension HistorySummary.Bar {
    /// This bar and the next one as one.
    fileprivate func adding(_ next: HistorySummary.Bar) -> HistorySummary.Bar {
        HistorySummary.Bar(
            label: label, ins: ins + next.ins, outs: outs + next.outs, marks: marks.union(next.marks),
            isAhead: isAhead && next.isAhead)
    }
}
