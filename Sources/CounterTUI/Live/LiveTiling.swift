/// How the screen is cut into tiles of the same size, one for each location: in as many columns as make them largest, and
/// where they cannot all be shown, in pages of single lines.
struct LiveTiling: Hashable, Sendable {
    /// What a tile must have for its lines to be read.
    private static let leastColumns = 24
    private static let gap = 2

    /// How many tiles stand side by side.
    let across: Int
    /// How many of them are shown at a time.
    let onePage: Int
    /// What each has.
    let tile: Size
    /// Rows from one tile's top to the next one's.
    private let pitch: Int

    /// - parameters:
    ///     - count: How many tiles, 1 or more.
    ///     - space: What there is for them.
    init(_ count: Int, in space: Size) {
        let most = max(1, min(count, (space.columns + Self.gap) / (Self.leastColumns + Self.gap)))
        let tilings = (1...most).map { LiveTiling(count, across: $0, in: space) }
        let best = tilings.filter { $0.onePage >= count }.max { $0.worth < $1.worth }
        self = best ?? LiveTiling(pagesOf: count, in: space)
    }

    private init(_ count: Int, across: Int, in space: Size) {
        let down = (count + across - 1) / across
        let rows = space.rows / down
        let air = rows >= 4 ? 1 : 0
        self.across = across
        pitch = rows
        tile = Size(columns: (space.columns - Self.gap * (across - 1)) / across, rows: rows - air)
        onePage = rows > 0 ? count : 0
    }

    private init(pagesOf count: Int, in space: Size) {
        across = 1
        pitch = 1
        tile = Size(columns: space.columns, rows: 1)
        // The last row tells which ones these are.
        onePage = max(1, space.rows - 1)
    }

    // A cell is twice as high as wide, and a digit too; but three digits stand side by side.
    private var worth: Int { min(tile.columns, tile.rows * 5) }

    /// The tiles of the page on which the tile `index` is.
    func page(with index: Int, of count: Int) -> Range<Int> {
        let start = index / onePage * onePage
        return start..<min(count, start + onePage)
    }

    /// The top left corner of a tile, counted from the first one of its page.
    func corner(of index: Int) -> Point {
        Point(column: index % across * (tile.columns + Self.gap), row: index / across * pitch)
    }
}
