/// The position of a cell: `column` to the right and `row` downwards, both from 0 in the top left corner.
package struct Point: Hashable, Sendable {
    /// Columns from the left edge.
    package var column: Int
    /// Rows from the top edge.
    package var row: Int

    /// The cell at `column`, `row`. Points outside a grid are allowed; drawing there does nothing.
    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A number of columns and rows of cells; never negative.
package struct Size: Hashable, Sendable {
    /// Cells from left to right.
    package let columns: Int
    /// Cells from top to bottom.
    package let rows: Int

    /// `columns` by `rows` cells; negative values become 0.
    package init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}

/// A run of cells on one row, half open: `columns.upperBound` is the first column after it.
package struct Strip: Hashable, Sendable {
    /// The row, from 0 at the top.
    package let row: Int
    package let columns: Range<Int>

    /// The cells `columns` of `row`.
    package init(row: Int, columns: Range<Int>) {
        self.row = row
        self.columns = columns
    }

    /// Whether `point` is one of its cells.
    package func contains(_ point: Point) -> Bool {
        point.row == row && columns.contains(point.column)
    }
}
