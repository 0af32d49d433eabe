import CounterModel
import Testing

@testable import CounterTUI
@testable import Reports

@Suite("Plot of History") struct HistoryPlotTests {
    private func bar(
        _ label: String = "", _ ins: Int = 0, _ outs: Int = 0, marks: Set<HistorySummary.Mark> = [],
        isAhead: Bool = false, isClosed: Bool = false
    ) -> HistoryBar {
        HistoryBar(
            bucket: Timestamp(seconds: 0)..<Timestamp(seconds: 3600), label: label, ins: ins, outs: outs,
            marks: marks, isAhead: isAhead, isClosed: isClosed)
    }

    private func plot(_ values: [(Int, Int)], _ columns: Int, _ rows: Int) -> HistoryPlot {
        HistoryPlot(
            values.map { bar("", $0.0, $0.1) },
            Size(columns: columns + HistoryPlot.axisColumns, rows: rows))
    }

    @Test func `Both sides share the rows by what they need, at one scale`() {
        let plot = plot([(30, 0), (10, 10)], 20, 9)
        #expect(plot.up == 6)
        #expect(plot.down == 2)
        #expect(plot.rows(of: 30) == 6)
        #expect(plot.rows(of: 10) == 2)
        #expect((plot.maxIn, plot.maxOut) == (30, 10))
    }

    @Test func `A side without entries takes no row`() {
        #expect(plot([(5, 0)], 20, 9).down == 0)
        #expect(plot([(0, 5)], 20, 9).up == 0)
        #expect(plot([(0, 0)], 20, 9).up == 8)
    }

    @Test func `The smaller side has a row, however small`() {
        let plot = plot([(1_000_000, 1)], 20, 9)
        #expect(plot.down == 1)
        #expect(plot.rows(of: 1) > 0)
    }

    @Test func `Neighbours are put together where there are more than columns`() {
        let plot = plot((1...25).map { ($0, 0) }, 10, 9)
        #expect(plot.bars.map(\.ins) == [1 + 2 + 3, 15, 24, 33, 42, 51, 60, 69, 25])
        #expect(plot.step == 1)
    }

    @Test func `What is before the first entry is one bar, and what is after the last`() {
        let values = [(0, 0), (0, 0), (0, 0), (2, 0), (0, 0), (0, 0), (0, 1), (0, 0), (0, 0)]
        let bars = values.enumerated().map { hour, value in
            bar("0\(hour)", value.0, value.1, marks: hour == 1 ? [.silent] : [], isAhead: hour > 7)
        }
        let shown = HistoryPlot(bars, Size(columns: 80, rows: 9)).bars
        #expect(shown.map(\.label) == ["00..", "03", "04", "05", "06", "07.."])
        #expect(shown.map(\.marks.isEmpty) == [false, true, true, true, true, true])
        #expect(shown.last?.isAhead == false)
        #expect(shown.map(\.ins) == [0, 2, 0, 0, 0, 0])
        // A single one keeps its name, and a range without entries all its bars.
        #expect(HistoryPlot(Array(bars[2...7]), Size(columns: 80, rows: 9)).bars.map(\.label).first == "02")
        #expect(HistoryPlot(Array(bars[..<3]), Size(columns: 80, rows: 9)).bars.count == 3)
    }

    @Test func `A day with opening hours has those and the hours with entries, and may be closed`() {
        func shown(open: Range<Int>, entries: Int?) -> [String] {
            let bars = (0..<24).map { hour in
                bar("\(hour)", hour == entries ? 1 : 0, isClosed: !open.contains(hour))
            }
            return HistoryPlot(bars, Size(columns: 80, rows: 9)).bars.map(\.label)
        }
        #expect(shown(open: 10..<13, entries: 11) == ["0..", "10", "11", "12", "13.."])
        #expect(shown(open: 10..<13, entries: nil) == ["0..", "10", "11", "12", "13.."])
        #expect(shown(open: 10..<11, entries: 13) == ["0..", "10", "11", "12", "13", "14.."])
        #expect(shown(open: 0..<0, entries: nil).count == 24)
    }

    @Test func `Bars are as wide as they can be, and not wider than looks well`() {
        #expect(plot(Array(repeating: (1, 1), count: 24), 120, 9).width == 4)
        #expect(plot([(1, 1)], 120, 9).width == 20)
        // A day of ten hours fills a wide terminal.
        let wide = plot(Array(repeating: (1, 1), count: 10), 240, 30)
        #expect(wide.step * wide.bars.count == 240)
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1k"), (120_999, "120k"), (3_000_000, "3M"), (Int.max, "+++"),
    ])
    func `Numbers at the axis are short`(number: Int, text: String) {
        #expect(HistoryPlot.short(number) == text)
    }
}
