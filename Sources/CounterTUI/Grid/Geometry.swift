/// The position of a cell: `column` to the right and `row` downwards, both from 0 in the top left corner.
package struct Point: Hashable, Sendable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A number of columns and rows of cells; never negative.
package struct Size: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    /// `columns` by `rows` cells; negative values become 0.
    package init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}

/// A run of cells on one row, half open: `columns.upperBound` is the first column after it.
package struct Strip: Hashable, Sendable {
    package let row: Int
    package let columns: Range<Int>

    package init(row: Int, columns: Range<Int>) {
        self.row = row
        self.columns = columns
    }

    package func contains(_ point: Point) -> Bool {
        point.row == row && columns.contains(point.column)
    }
}

/// A rectangle of cells.
struct Area: Hashable {
    let origin: Point
    let size: Size

    init(_ origin: Point, _ size: Size) { (self.origin, self.size) = (origin, size) }

    /// The whole width of a range of rows.
    init(rows: Range<Int>, columns: Int) {
        self.init(Point(column: 0, row: rows.lowerBound), Size(columns: columns, rows: rows.count))
    }

    /// Its rows, from the top.
    var strips: [Strip] {
        (origin.row..<(origin.row + size.rows)).map {
            Strip(row: $0, columns: origin.column..<(origin.column + size.columns))
        }
    }
}

/// The rows that are left for the number, while less important lines are placed around it.
struct RowBudget {
    private(set) var rows: Int

    /// Takes `count` rows if the number keeps at least `least`; returns whether it did.
    mutating func take(_ count: Int = 1, keeping least: Int) -> Bool {
        guard rows >= least + count else { return false }
        rows -= count
        return true
    }
}
