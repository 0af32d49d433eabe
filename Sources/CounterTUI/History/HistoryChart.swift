import CounterModel
import Reports

/// A bar chart: entries in stand on the axis and entries out hang from it, so that they differ without colour.
struct HistoryChart {
    private let bars: [HistoryBar]
    private let signs: (ins: String, outs: String)
    private let theme: Theme

    init(_ summary: HistorySummary, theme: Theme) {
        (bars, signs) = (summary.bars, summary.flow.signs)
        self.theme = theme
    }

    /// Draws into `size` from `point`: bars in, the axis with its labels, bars out, and a row of marks if there are any.
    func draw(into frame: inout Frame, at point: Point, _ size: Size) {
        let plot = HistoryPlot(bars, size)
        guard size.rows >= 3, !plot.bars.isEmpty else { return }
        let corner = Point(column: point.column + HistoryPlot.axisColumns, row: point.row)
        for (index, bar) in plot.bars.enumerated() {
            let origin = Point(column: corner.column + index * plot.step, row: corner.row)
            draw(bar, of: plot, into: &frame, at: origin)
        }
        drawScale(of: plot, into: &frame, at: point)
        drawAxis(of: plot, into: &frame, at: Point(column: corner.column, row: corner.row + plot.up))
        if plot.bars.allSatisfy(\.isEmpty) {
            let text = plot.bars.allSatisfy(\.isClosed) ? " Closed. " : " No entries. "
            frame.centre([Span(text, theme[.label])], row: point.row + (plot.up - 1) / 2)
        }
    }

    private func draw(_ bar: HistoryBar, of plot: HistoryPlot, into frame: inout Frame, at point: Point) {
        let (standing, hanging) = steps
        for row in 0..<plot.up {
            let text = cell(plot.rows(of: bar.ins), row: plot.up - 1 - row, standing)
            write(text, plot, .ins, into: &frame, at: Point(column: point.column, row: point.row + row))
        }
        for row in 0..<plot.down {
            let text = cell(plot.rows(of: bar.outs), row: row, hanging)
            write(
                text, plot, .outs, into: &frame,
                at: Point(column: point.column, row: point.row + plot.up + 1 + row))
        }
        let signs = bar.marks.sorted { $0.rawValue < $1.rawValue }.prefix(plot.width).map(\.sign)
        guard plot.hasMarks, !signs.isEmpty else { return }
        let row = point.row + plot.up + 1 + plot.down
        frame.write([Span(String(signs), theme[.notice])], at: Point(column: point.column, row: row))
    }

    private func write(
        _ text: String?, _ plot: HistoryPlot, _ role: Theme.Role, into frame: inout Frame, at point: Point
    ) {
        guard let text else { return }
        frame.write([Span(String(repeating: text, count: plot.width), theme[role])], at: point)
    }

    /// The character of one cell of a bar, `row` rows from the axis; nil where the bar does not reach it.
    private func cell(_ height: Double, row: Int, _ steps: [String]) -> String? {
        let part = min(1, height - Double(row))
        guard part > 0 else { return nil }
        // Every value above zero is visible, and no bar looks higher than its value.
        return steps[max(0, Int(part * Double(steps.count)) - 1)]
    }

    /// The characters of a bar, from the smallest part of a cell to a whole one. Of the hanging parts, Unicode has only the
    /// upper half.
    private var steps: (standing: [String], hanging: [String]) {
        switch theme.glyphs {
        case .quadrants: (["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], ["▀", "█"])
        case .halves: (["▄", "█"], ["▀", "█"])
        case .ascii: ([".", "#"], ["'", "#"])
        }
    }

    // MARK: - Axes

    /// Draws the scale at the left: the largest values, each as far from the axis as its bar.
    private func drawScale(of plot: HistoryPlot, into frame: inout Frame, at point: Point) {
        let ascii = theme.glyphs == .ascii
        let ins = plot.up - min(plot.up, Int(plot.rows(of: plot.maxIn).rounded(.up)))
        let outs = plot.up + min(plot.down, Int(plot.rows(of: plot.maxOut).rounded(.up)))
        for row in 0...(plot.up + plot.down) {
            let text =
                switch row {
                case plot.up: "0" + (ascii ? "+" : "┼")
                case ins: signs.ins + HistoryPlot.short(plot.maxIn) + (ascii ? "|" : "┤")
                case outs: signs.outs + HistoryPlot.short(plot.maxOut) + (ascii ? "|" : "┤")
                default: ascii ? "|" : "│"
                }
            let column = point.column + HistoryPlot.axisColumns - text.count
            frame.write([Span(text, theme[.quiet])], at: Point(column: column, row: point.row + row))
        }
    }

    /// Draws the axis between in and out. A bar has its label unless the label before it covers that place.
    private func drawAxis(of plot: HistoryPlot, into frame: inout Frame, at point: Point) {
        let columns = plot.step * plot.bars.count
        let line = String(repeating: theme.glyphs == .ascii ? "-" : "─", count: columns)
        frame.write([Span(line, theme[.quiet])], at: point)
        var free = 0
        for (index, bar) in plot.bars.enumerated() where index * plot.step >= free {
            guard index * plot.step + bar.label.count <= columns else { continue }
            let origin = Point(column: point.column + index * plot.step, row: point.row)
            frame.write([Span(bar.label, theme[bar.isAhead ? .quiet : .label])], at: origin)
            free = index * plot.step + bar.label.count + 1
        }
    }
}

/// The layout of bars in the cells of a chart.
struct HistoryPlot {
    /// The columns for the scale and the vertical axis at the left: `out 118┤`.
    static let axisColumns = 8
    private static let widestStep = 24

    /// The bars; neighbours are merged where there are more bars than columns.
    let bars: [HistoryBar]
    /// Columns from one bar to the next, and columns that a bar fills.
    let step: Int, width: Int
    /// Rows above and below the axis, which itself takes one row.
    let up: Int, down: Int
    /// Whether the last row is for marks.
    let hasMarks: Bool
    let maxIn: Int, maxOut: Int
    /// How many entries one row represents.
    private let perRow: Double

    init(_ all: [HistoryBar], _ size: Size) {
        bars = Self.merged(Self.folded(all), columns: size.columns - Self.axisColumns)
        step = min(Self.widestStep, max(1, (size.columns - Self.axisColumns) / max(1, bars.count)))
        width = max(1, step - max(1, step / 6))
        hasMarks = size.rows >= 4 && bars.contains { !$0.marks.isEmpty }
        let free = max(0, size.rows - 1 - (hasMarks ? 1 : 0))
        (maxIn, maxOut) = (bars.map(\.ins).max() ?? 0, bars.map(\.outs).max() ?? 0)
        down = Self.rows(below: free, ins: Double(maxIn), outs: Double(maxOut))
        up = free - down
        let scales = [(maxIn, up), (maxOut, down)].filter { $0.1 > 0 }.map { Double($0.0) / Double($0.1) }
        perRow = max(scales.max() ?? 0, .leastNonzeroMagnitude)
    }

    func rows(of number: Int) -> Double { Double(number) / perRow }

    // Both sides have the same scale, and only the rows that they need.
    private static func rows(below free: Int, ins: Double, outs: Double) -> Int {
        guard outs > 0, free > 1 else { return 0 }
        guard ins > 0 else { return free }
        return min(free - 1, max(1, Int((Double(free) * outs / (ins + outs)).rounded())))
    }

    /// The bars with those before the first entry or opening as one, and those after the last. Where the hours are unknown, what is
    /// before the first entry is as good as closed.
    private static func folded(_ bars: [HistoryBar]) -> [HistoryBar] {
        let hasHours = bars.contains(where: \.isClosed)
        let parts = bars.folded { $0.isEmpty && (!hasHours || $0.isClosed) }
        // A range without entries and openings keeps all its bars.
        if parts.count < 2 { return bars }
        return parts.map { part in
            var bar = sum(bars[part])
            if part.count > 1 { bar.label += ".." }
            return bar
        }
    }

    private static func merged(_ bars: [HistoryBar], columns: Int) -> [HistoryBar] {
        guard columns > 0 else { return [] }
        let size = max(1, (bars.count + columns - 1) / columns)
        return stride(from: 0, to: bars.count, by: size).map { start in
            sum(bars[start..<min(start + size, bars.count)])
        }
    }

    /// One bar for one or more.
    private static func sum(_ bars: ArraySlice<HistoryBar>) -> HistoryBar {
        bars.dropFirst().reduce(into: bars[bars.startIndex]) { sum, bar in
            (sum.ins, sum.outs) = (sum.ins + bar.ins, sum.outs + bar.outs)
            sum.marks.formUnion(bar.marks)
            (sum.isAhead, sum.isClosed) = (sum.isAhead && bar.isAhead, sum.isClosed && bar.isClosed)
        }
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
