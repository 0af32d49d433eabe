import Reports

/// The layout of bars in the cells of a chart.
struct HistoryPlot {
    /// The columns for the scale and the vertical axis at the left: `out 118┤`.
    static let axisColumns = 8
    private static let widestStep = 9

    /// The bars; neighbours are merged where there are more bars than columns.
    let bars: [HistorySummary.Bar]
    /// Columns from one bar to the next, and columns that a bar fills.
    let step: Int, width: Int
    /// Rows above and below the axis, which itself takes one row.
    let up: Int, down: Int
    /// Whether the last row is for marks.
    let hasMarks: Bool
    /// How many entries one row represents.
    private let perRow: Double

    init(_ all: [HistorySummary.Bar], _ size: Size) {
        bars = Self.merged(Self.folded(all), columns: size.columns - Self.axisColumns)
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

    /// The height of a number in rows.
    func rows(of number: Int) -> Double { Double(number) / perRow }

    /// The number that a bar of `rows` rows represents.
    func reach(of rows: Int) -> Int { Int((perRow * Double(rows)).rounded()) }

    // Both sides have the same scale, and only the rows that they need.
    private static func rows(below free: Int, ins: Double, outs: Double) -> Int {
        guard outs > 0, free > 1 else { return 0 }
        guard ins > 0 else { return free }
        return min(free - 1, max(1, Int((Double(free) * outs / (ins + outs)).rounded())))
    }

    /// The bars with those before the first entry as one, and those after the last.
    private static func folded(_ bars: [HistorySummary.Bar]) -> [HistorySummary.Bar] {
        guard let first = bars.firstIndex(where: { !$0.isEmpty }),
            let last = bars.lastIndex(where: { !$0.isEmpty })
        else { return bars }
        return one(bars[..<first]) + bars[first...last] + one(bars[(last + 1)...])
    }

    private static func one(_ bars: ArraySlice<HistorySummary.Bar>) -> [HistorySummary.Bar] {
        guard let first = bars.first, bars.count > 1 else { return Array(bars) }
        let all = bars.dropFirst().reduce(first) { $0.adding($1) }
        return [
            HistorySummary.Bar(
                label: first.label + "..", ins: 0, outs: 0, marks: all.marks, isAhead: all.isAhead)
        ]
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

    /// A number in at most four characters: `9999`, `120k`, `3M`.
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
    fileprivate var isEmpty: Bool { ins == 0 && outs == 0 }

    /// This bar merged with the next one.
    fileprivate func adding(_ next: HistorySummary.Bar) -> HistorySummary.Bar {
        HistorySummary.Bar(
            label: label, ins: ins + next.ins, outs: outs + next.outs, marks: marks.union(next.marks),
            isAhead: isAhead && next.isAhead)
    }
}
