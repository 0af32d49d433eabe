/// Divides the screen into tiles of equal size, one for each location, with the number of columns that makes the tiles
/// largest. Where not all tiles fit, each becomes a single line, and the lines are split into pages.
struct LiveTiling: Hashable, Sendable {
    /// The minimum size of a tile whose lines can be read.
    private static let leastColumns = 24
    private static let gap = 2

    /// How many tiles are side by side.
    let across: Int
    /// How many tiles are on one page.
    let onePage: Int
    /// The size of each tile.
    let tile: Size
    /// Rows from the top of one tile to the top of the next.
    private let pitch: Int

    /// - parameters:
    ///   - count: The number of tiles, 1 or more.
    ///   - space: The size available for them.
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
        // The last row says which of the locations are visible.
        onePage = max(1, space.rows - 1)
    }

    // A cell is twice as high as wide, and so is a digit; a number has about three digits side by side.
    private var worth: Int { min(tile.columns, tile.rows * 5) }

    /// The indices of the tiles on the page with the tile `index`.
    func page(with index: Int, of count: Int) -> Range<Int> {
        let start = index / onePage * onePage
        return start..<min(count, start + onePage)
    }

    /// The top left corner of a tile, relative to the first tile of its page.
    func corner(of index: Int) -> Point {
        Point(column: index % across * (tile.columns + Self.gap), row: index / across * pitch)
    }
}
