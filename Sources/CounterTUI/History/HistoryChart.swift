import Reports

/// A bar chart: entries in stand on the axis and entries out hang from it, so that they differ without colour.
struct HistoryChart {
    private let bars: [HistorySummary.Bar]
    private let theme: Theme

    init(_ summary: HistorySummary, theme: Theme) {
        bars = summary.bars
        self.theme = theme
    }

    /// Draws into `size` from `point`: bars in, the axis with its labels, bars out, and a row of marks if there are any.
    func draw(into screen: inout Screen, at point: Point, _ size: Size) {
        let plot = HistoryPlot(bars, size)
        guard size.rows >= 3, !plot.bars.isEmpty else { return }
        let corner = Point(column: point.column + HistoryPlot.axisColumns, row: point.row)
        for (index, bar) in plot.bars.enumerated() {
            let origin = Point(column: corner.column + index * plot.step, row: corner.row)
            draw(bar, of: plot, into: &screen, at: origin)
        }
        drawScale(of: plot, into: &screen, at: point)
        drawAxis(of: plot, into: &screen, at: Point(column: corner.column, row: corner.row + plot.up))
        if plot.bars.allSatisfy({ $0.ins == 0 && $0.outs == 0 }) {
            screen.centre([Span(" No entries. ", theme[.label])], row: point.row + (plot.up - 1) / 2)
        }
    }

    private func draw(
        _ bar: HistorySummary.Bar, of plot: HistoryPlot, into screen: inout Screen, at point: Point
    ) {
        for row in 0..<plot.up {
            let text = cell(plot.rows(of: bar.ins), row: plot.up - 1 - row, Self.standing(theme.look.glyphs))
            write(text, plot, .ins, into: &screen, at: Point(column: point.column, row: point.row + row))
        }
        for row in 0..<plot.down {
            let text = cell(plot.rows(of: bar.outs), row: row, Self.hanging(theme.look.glyphs))
            write(
                text, plot, .outs, into: &screen,
                at: Point(column: point.column, row: point.row + plot.up + 1 + row))
        }
        let signs = bar.marks.sorted { $0.rawValue < $1.rawValue }.prefix(plot.width).map(\.sign)
        guard plot.hasMarks, !signs.isEmpty else { return }
        let row = point.row + plot.up + 1 + plot.down
        screen.write([Span(String(signs), theme[.notice])], at: Point(column: point.column, row: row))
    }

    private func write(
        _ text: String?, _ plot: HistoryPlot, _ role: Theme.Role, into screen: inout Screen, at point: Point
    ) {
        guard let text else { return }
        screen.write([Span(String(repeating: text, count: plot.width), theme[role])], at: point)
    }

    /// The character of one cell of a bar, `row` rows from the axis; nil where the bar does not reach it.
    private func cell(_ height: Double, row: Int, _ steps: [String]) -> String? {
        let part = min(1, height - Double(row))
        guard part > 0 else { return nil }
        // Every value above zero is visible, and no bar looks higher than its value.
        return steps[max(0, Int(part * Double(steps.count)) - 1)]
    }

    /// The characters of a standing bar, from the smallest part of a cell to a whole one.
    private static func standing(_ glyphs: Look.Glyphs) -> [String] {
        switch glyphs {
        case .quadrants: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        case .halves: ["▄", "█"]
        case .ascii: [".", "#"]
        }
    }

    // Of the hanging parts, Unicode has only the upper half.
    private static func hanging(_ glyphs: Look.Glyphs) -> [String] {
        switch glyphs {
        case .quadrants, .halves: ["▀", "█"]
        case .ascii: ["'", "#"]
        }
    }
}

// MARK: - Axes

extension HistoryChart {
    /// Draws the scale at the left: the values at the top and bottom rows.
    private func drawScale(of plot: HistoryPlot, into screen: inout Screen, at point: Point) {
        let ascii = theme.look.glyphs == .ascii
        for row in 0...(plot.up + plot.down) {
            let text =
                switch row {
                case plot.up: "0" + (ascii ? "+" : "┼")
                case 0: "in \(HistoryPlot.short(plot.reach(of: plot.up)))" + (ascii ? "|" : "┤")
                case plot.up + plot.down:
                    "out \(HistoryPlot.short(plot.reach(of: plot.down)))" + (ascii ? "|" : "┤")
                default: ascii ? "|" : "│"
                }
            let column = point.column + HistoryPlot.axisColumns - text.count
            screen.write([Span(text, theme[.quiet])], at: Point(column: column, row: point.row + row))
        }
    }

    /// Draws the axis between in and out. A bar has its label unless the label before it covers that place.
    private func drawAxis(of plot: HistoryPlot, into screen: inout Screen, at point: Point) {
        let columns = plot.step * plot.bars.count
        let line = String(repeating: theme.look.glyphs == .ascii ? "-" : "─", count: columns)
        screen.write([Span(line, theme[.quiet])], at: point)
        var free = 0
        for (index, bar) in plot.bars.enumerated() where index * plot.step >= free {
            guard index * plot.step + bar.label.count <= columns else { continue }
            let origin = Point(column: point.column + index * plot.step, row: point.row)
            screen.write([Span(bar.label, theme[bar.isAhead ? .quiet : .label])], at: origin)
            free = index * plot.step + bar.label.count + 1
        }
    }
}
