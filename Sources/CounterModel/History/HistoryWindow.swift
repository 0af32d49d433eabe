/// The rows of a history that are in memory while somebody looks through it, the latest first.
///
/// However long the history is, it reads a page when it gets near one end of what it has, and lets go of as much at the other.
public struct HistoryWindow: Hashable, Sendable {
    /// How many rows are read at once; a screen shows fewer.
    public static let page = 300
    /// How many are kept.
    public static let most = 1000

    /// From when to when.
    public let range: Range<Timestamp>
    /// Those that are in memory, the latest first.
    public private(set) var rows: [HistoryRow] = []
    /// The first of them that is shown: an index into `rows`, or 0 where there are none.
    public private(set) var top = 0
    private var hasLater = false
    private var hasEarlier = false

    /// A window onto a range, with no row yet.
    public init(range: Range<Timestamp>) { self.range = range }

    /// Shows the end of history: its latest rows.
    ///
    /// - Parameter fetch: Reads a page, in the order of time.
    /// - Throws: What `fetch` throws; as all that read here do.
    public mutating func showLatest<Failure>(
        _ fetch: (HistoryPage) throws(Failure) -> [HistoryRow]
    ) throws(Failure) {
        rows = try fetch(HistoryPage(range: range, isBackward: true, limit: Self.page)).reversed()
        (top, hasLater, hasEarlier) = (0, false, rows.count == Self.page)
    }

    /// Shows the beginning of history: its earliest rows, of which so many are visible.
    public mutating func showEarliest<Failure>(
        visible: Int, _ fetch: (HistoryPage) throws(Failure) -> [HistoryRow]
    ) throws(Failure) {
        rows = try fetch(HistoryPage(range: range, isBackward: false, limit: Self.page)).reversed()
        (top, hasLater, hasEarlier) = (max(0, rows.count - visible), rows.count == Self.page, false)
    }

    /// Moves on by some rows to earlier ones, or to later ones where `step` is negative; held at both ends.
    ///
    /// - Parameters:
    ///   - step: So many rows.
    ///   - visible: How many rows are seen at once.
    ///   - fetch: Reads a page, in the order of time.
    /// - Throws: What `fetch` throws.
    public mutating func scroll<Failure>(
        by step: Int, visible: Int, _ fetch: (HistoryPage) throws(Failure) -> [HistoryRow]
    ) throws(Failure) {
        while hasLater, top + step < 0 { try readLater(fetch) }
        while hasEarlier, top + step + visible > rows.count { try readEarlier(fetch) }
        top = max(0, min(top + step, rows.count - visible))
    }

    /// Reads again what is shown, for the journal has changed. The latest rows stay the latest; elsewhere the first row that
    /// is shown stays where it is.
    public mutating func refresh<Failure>(
        _ fetch: (HistoryPage) throws(Failure) -> [HistoryRow]
    ) throws(Failure) {
        guard hasLater || top > 0, rows.indices.contains(top) else { return try showLatest(fetch) }
        let first = rows[top].anchor
        let behind = HistoryAnchor(time: first.time, position: Position(first.position.number + 1))
        rows = try fetch(HistoryPage(range: range, anchor: behind, isBackward: true, limit: Self.page))
            .reversed()
        (top, hasLater, hasEarlier) = (0, true, rows.count == Self.page)
    }
}

extension HistoryWindow {
    private mutating func readLater<Failure>(
        _ fetch: (HistoryPage) throws(Failure) -> [HistoryRow]
    ) throws(Failure) {
        let later = try fetch(
            HistoryPage(range: range, anchor: rows.first?.anchor, isBackward: false, limit: Self.page))
        rows = later.reversed() + rows
        top += later.count
        hasLater = later.count == Self.page
        let excess = min(rows.count - Self.most, rows.count - top - 1)
        guard excess > 0 else { return }
        rows.removeLast(excess)
        hasEarlier = true
    }

    private mutating func readEarlier<Failure>(
        _ fetch: (HistoryPage) throws(Failure) -> [HistoryRow]
    ) throws(Failure) {
        let earlier = try fetch(
            HistoryPage(range: range, anchor: rows.last?.anchor, isBackward: true, limit: Self.page))
        rows += earlier.reversed()
        hasEarlier = earlier.count == Self.page
        let excess = min(rows.count - Self.most, top)
        guard excess > 0 else { return }
        rows.removeFirst(excess)
        top -= excess
        hasLater = true
    }
}
