/// The position of a cell: `column` to the right and `row` downwards, both from 0 in the top left corner.
public struct Point: Hashable, Sendable {
    /// Columns from the left edge.
    public var column: Int
    /// Rows from the top edge.
    public var row: Int

    /// The cell at `column`, `row`. Points outside a grid are allowed; drawing there does nothing.
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A number of columns and rows of cells; never negative.
public struct Size: Hashable, Sendable {
    /// Cells from left to right.
    public let columns: Int
    /// Cells from top to bottom.
    public let rows: Int

    /// `columns` by `rows` cells; negative values become 0.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}

/// A run of cells on one row, half open: `columns.upperBound` is the first column after it.
public struct Strip: Hashable, Sendable {
    /// The row, from 0 at the top.
    public let row: Int
    /// The columns it covers.
    public let columns: Range<Int>

    /// The cells `columns` of `row`.
    public init(row: Int, columns: Range<Int>) {
        self.row = row
        self.columns = columns
    }

    /// Whether `point` is one of its cells.
    public func contains(_ point: Point) -> Bool {
        point.row == row && columns.contains(point.column)
    }
}
