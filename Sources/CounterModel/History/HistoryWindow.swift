/// The part of a history that is in memory while a list of it is on the screen, latest row first.
///
/// Memory is bounded: near one end of its rows it reads a page, and drops as many rows at the other end. `fetch` reads a page, in
/// order of time; `visible` is how many rows are visible at once.
package struct HistoryWindow: Hashable, Sendable {
    /// The number of rows read at once; more than a screen shows.
    package static let page = 300
    package static let most = 1000

    package typealias Fetch<Failure: Error> = (HistoryPage) throws(Failure) -> [HistoryRow]

    package let range: Range<Timestamp>
    /// The rows in memory, latest first.
    package private(set) var rows: [HistoryRow] = []
    /// The first visible row: an index into `rows`, or 0 where there are none.
    package private(set) var top = 0
    /// The selected row: an index into `rows`, or 0 where there are none.
    package private(set) var cursor = 0
    private var hasLater = false
    private var hasEarlier = false

    package init(range: Range<Timestamp>) { self.range = range }

    /// The selected row; nil where there is none.
    package var selected: HistoryRow? { rows.indices.contains(cursor) ? rows[cursor] : nil }

    /// The rows on a screen with room for so many: all of the room is filled, even if the terminal has grown since `top` was set.
    package func shown(visible: Int) -> ArraySlice<HistoryRow> {
        rows.dropFirst(max(0, min(top, rows.count - visible))).prefix(visible)
    }

    package mutating func showLatest<Failure>(_ fetch: Fetch<Failure>) throws(Failure) {
        try show(before: nil, fetch)
    }

    private mutating func show<Failure>(
        before anchor: HistoryAnchor?, _ fetch: Fetch<Failure>
    ) throws(Failure) {
        let page = HistoryPage(range: range, anchor: anchor, isBackward: true, limit: Self.page)
        rows = try fetch(page).reversed()
        (top, cursor) = (0, 0)
        (hasLater, hasEarlier) = (anchor != nil, rows.count == Self.page)
    }

    package mutating func showEarliest<Failure>(visible: Int, _ fetch: Fetch<Failure>) throws(Failure) {
        rows = try fetch(HistoryPage(range: range, isBackward: false, limit: Self.page)).reversed()
        (top, hasLater, hasEarlier) = (max(0, rows.count - visible), rows.count == Self.page, false)
        cursor = max(0, rows.count - 1)
    }

    /// Selects an earlier row, or a later one where `step` is negative, and scrolls as far as needed to show it.
    package mutating func select<Failure>(by step: Int, visible: Int, _ fetch: Fetch<Failure>) throws(Failure)
    {
        while hasLater, cursor + step < 0 { try readLater(fetch) }
        while hasEarlier, cursor + step >= rows.count { try readEarlier(fetch) }
        cursor = max(0, min(cursor + step, rows.count - 1))
        top = max(0, min(max(top, cursor - visible + 1), cursor))
    }

    /// Selects the row at a position, if it is in memory.
    package mutating func select(_ position: Position) {
        cursor = rows.firstIndex { $0.id == position } ?? cursor
    }

    /// Scrolls to earlier rows, or to later ones where `step` is negative; stops at both ends.
    package mutating func scroll<Failure>(by step: Int, visible: Int, _ fetch: Fetch<Failure>) throws(Failure)
    {
        while hasLater, top + step < 0 { try readLater(fetch) }
        while hasEarlier, top + step + visible > rows.count { try readEarlier(fetch) }
        top = max(0, min(top + step, rows.count - visible))
        cursor = max(top, min(cursor, top + visible - 1, rows.count - 1))
    }

    /// Reads the visible rows again after a change of the journal. A window at the latest rows stays at the latest while the
    /// latest is selected; any other keeps its first visible row in place, and the selected one.
    package mutating func refresh<Failure>(_ fetch: Fetch<Failure>) throws(Failure) {
        let selected = cursor > 0 ? selected?.id : nil
        defer { if let selected { select(selected) } }
        guard hasLater || top > 0 || cursor > 0, rows.indices.contains(top) else {
            return try showLatest(fetch)
        }
        let first = rows[top].anchor
        let behind = Position(first.position.number + 1)
        try show(before: HistoryAnchor(time: first.time, order: first.order, position: behind), fetch)
    }
}

extension HistoryWindow {
    private mutating func readLater<Failure>(_ fetch: Fetch<Failure>) throws(Failure) {
        let later = try fetch(
            HistoryPage(range: range, anchor: rows.first?.anchor, isBackward: false, limit: Self.page))
        rows = later.reversed() + rows
        top += later.count
        cursor += later.count
        hasLater = later.count == Self.page
        let excess = min(rows.count - Self.most, rows.count - max(top, cursor) - 1)
        guard excess > 0 else { return }
        rows.removeLast(excess)
        hasEarlier = true
    }

    private mutating func readEarlier<Failure>(_ fetch: Fetch<Failure>) throws(Failure) {
        let earlier = try fetch(
            HistoryPage(range: range, anchor: rows.last?.anchor, isBackward: true, limit: Self.page))
        rows += earlier.reversed()
        hasEarlier = earlier.count == Self.page
        let excess = min(rows.count - Self.most, top, cursor)
        guard excess > 0 else { return }
        rows.removeFirst(excess)
        top -= excess
        cursor -= excess
        hasLater = true
    }
}
