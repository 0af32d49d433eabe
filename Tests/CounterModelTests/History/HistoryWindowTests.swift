import Testing

@testable import CounterModel

/// A list of a million rows that is scrolled without reading more than a few pages of it.
@Suite struct HistoryWindowTests {
    private static let all = Int64(1_000_000)
    private static let visible = 20

    /// A history whose row `n` counts at second `n / 2`: each second has two rows.
    private final class History {
        var count: Int64
        private(set) var read = 0

        init(_ count: Int64 = HistoryWindowTests.all) { self.count = count }

        static func row(_ number: Int64) -> HistoryRow {
            let time = Timestamp(microseconds: number / 2 * 1_000_000)
            return HistoryRow(
                JournalRow(
                    id: Position(number), locationId: "a", timestamp: time, receivedAt: time,
                    .entry(Entry(.in, deviceId: "d", source: .hardware))))
        }

        func fetch(_ page: HistoryPage) -> [HistoryRow] {
            let anchor = page.anchor?.position.number
            // Every anchor but that of `refresh` belongs to a row.
            let numbers =
                page.isBackward
                ? max(1, (anchor ?? count + 1) - Int64(page.limit))..<(anchor ?? count + 1)
                : (anchor ?? 0) + 1..<min(count, (anchor ?? 0) + Int64(page.limit)) + 1
            read += numbers.count
            return numbers.map(Self.row)
        }
    }

    private let history = History()
    private var window = HistoryWindow(range: Timestamp(microseconds: 0)..<Timestamp(microseconds: .max))

    /// The numbers of the visible rows.
    private var shown: [Int64] { window.shown(visible: Self.visible).map(\.id.number) }

    private func latest(below: Int64) -> [Int64] { (below - Int64(Self.visible)..<below).reversed() }

    @Test mutating func `It begins with the latest rows`() {
        window.showLatest(history.fetch)
        #expect(shown == latest(below: Self.all + 1))
        #expect(history.read == HistoryWindow.page)
    }

    @Test mutating func `The earliest rows are one page away`() {
        window.showLatest(history.fetch)
        window.showEarliest(visible: Self.visible, history.fetch)
        #expect(shown == latest(below: Int64(Self.visible) + 1))
        #expect(history.read == 2 * HistoryWindow.page)
        window.scroll(by: 1, visible: Self.visible, history.fetch)
        #expect(shown == latest(below: Int64(Self.visible) + 1))
    }

    @Test mutating func `Scrolling down and up again shows every row once and keeps few`() {
        window.showLatest(history.fetch)
        var below = Self.all + 1
        for _ in 0..<500 {
            window.scroll(by: 19, visible: Self.visible, history.fetch)
            below -= 19
            #expect(shown == latest(below: below))
            #expect(window.rows.count <= HistoryWindow.most)
        }
        for _ in 0..<500 {
            window.scroll(by: -19, visible: Self.visible, history.fetch)
            below += 19
            #expect(shown == latest(below: below))
            #expect(window.rows.count <= HistoryWindow.most)
        }
        window.scroll(by: -1, visible: Self.visible, history.fetch)
        #expect(shown == latest(below: Self.all + 1))
    }

    @Test mutating func `From the beginning it goes up again`() {
        window.showEarliest(visible: Self.visible, history.fetch)
        for step in 1...400 {
            window.scroll(by: -19, visible: Self.visible, history.fetch)
            #expect(shown == latest(below: Int64(Self.visible) + 1 + Int64(step) * 19))
        }
        #expect(window.rows.count <= HistoryWindow.most)
    }

    /// The number of the selected row.
    private var selected: Int64? { window.selected?.id.number }

    @Test mutating func `The selected row moves through all rows, and is always shown`() {
        window.showLatest(history.fetch)
        #expect(selected == Self.all)
        let steps = [(1, 40), (-1, 30), (7, 200), (-3, 90), (19, 90), (-19, 200)]
        for steps in steps.flatMap({ Array(repeating: $0, count: $1) }) {
            let before = selected ?? 0
            window.select(by: steps, visible: Self.visible, history.fetch)
            #expect(selected == min(Self.all, before - Int64(steps)))
            #expect(shown.contains(selected ?? 0))
            #expect(window.rows.count <= HistoryWindow.most)
        }
        window.scroll(by: 40, visible: Self.visible, history.fetch)
        #expect(shown.contains(selected ?? 0), "scrolling takes the selection along")
        window.showEarliest(visible: Self.visible, history.fetch)
        #expect(selected == 1)
    }

    @Test mutating func `The selected row stays selected when rows come, unless it is the latest`() {
        window.showLatest(history.fetch)
        history.count += 1
        window.refresh(history.fetch)
        #expect(shown == latest(below: Self.all + 2))
        #expect(selected == Self.all + 1)
        window.select(by: 3, visible: Self.visible, history.fetch)
        history.count += 2
        window.refresh(history.fetch)
        #expect(selected == Self.all - 2)
        window.select(Position(Self.all))
        #expect(selected == Self.all)
    }

    @Test(arguments: [0, 1, 19, 20, 21, 299, 300, 301])
    mutating func `A short history ends at both ends`(count: Int) {
        let history = History(Int64(count))
        window.showLatest(history.fetch)
        let whole = (0..<Int64(count)).map { Int64(count) - $0 }
        for step in [-5, 1000, 1000, -1000] {
            window.scroll(by: step, visible: Self.visible, history.fetch)
            #expect(shown == Array(step > 0 ? whole.suffix(Self.visible) : whole.prefix(Self.visible)))
        }
        window.showEarliest(visible: Self.visible, history.fetch)
        #expect(shown == Array(whole.suffix(Self.visible)))
        #expect(window.rows.count == min(count, HistoryWindow.page))
    }

    @Test mutating func `A terminal that has grown shows full pages`() {
        let history = History(30)
        window.showEarliest(visible: 5, history.fetch)
        #expect(window.top == 25)
        for visible in [5, 10, 30] { #expect(window.shown(visible: visible) == window.rows.suffix(visible)) }
        #expect(window.shown(visible: 100) == window.rows[...])
    }

    @Test mutating func `What is new moves nothing where earlier rows are shown`() {
        window.showLatest(history.fetch)
        window.scroll(by: 7, visible: Self.visible, history.fetch)
        let before = shown
        history.count += 3
        for _ in 1...2 {
            window.refresh(history.fetch)
            #expect(shown == before)
        }
        window.scroll(by: -10, visible: Self.visible, history.fetch)
        #expect(shown == latest(below: Self.all + 4))
        window.scroll(by: -1, visible: Self.visible, history.fetch)
        #expect(shown == latest(below: Self.all + 4))
    }

    @Test mutating func `A history that failed to be read can be read again`() {
        struct Broken: Error {}
        window.showLatest(history.fetch)
        #expect(throws: Broken.self) {
            try window.scroll(by: 400, visible: Self.visible) {
                (_: HistoryPage) throws(Broken) -> [HistoryRow] in
                throw Broken()
            }
        }
        window.scroll(by: 400, visible: Self.visible, history.fetch)
        #expect(shown == latest(below: Self.all + 1 - 400))
    }
}
