import CounterTUI

/// Draws `raetsel_labyrinth`: a cell has a wall on each side that is not open.
struct LabyrinthDrawing {
    let view: LabyrinthView
    let palette: Palette

    init(_ view: LabyrinthView, _ palette: Palette) {
        self.view = view
        self.palette = palette
    }

    var sketches: [Sketch] { [drawn(cell: (5, 2)), drawn(cell: (2, 1))] }

    /// The part around the figure, and where the goal is.
    func compact(_ space: Size) -> Sketch {
        let (row, column) = view.position(of: view.figure)
        let (goalRow, goalColumn) = view.position(of: view.goal)
        let (right, down) = (goalColumn - column, goalRow - row)
        let way = [
            right == 0 ? nil : "\(abs(right)) \(right > 0 ? "right" : "left")",
            down == 0 ? nil : "\(abs(down)) \(down > 0 ? "down" : "up")",
        ].compactMap(\.self).joined(separator: ", ")
        return drawn(cell: (2, 1)).part(
            around: 2 * row + 1, 3 * column + 1, width: space.columns, height: max(3, space.rows - 1)
        ).above(Sketch(["* \(way)"], palette.problem))
    }

    /// The whole labyrinth; `cell` is the columns and rows inside of a cell.
    private func drawn(cell: (width: Int, height: Int)) -> Sketch {
        let (across, down) = (cell.width + 1, cell.height + 1)
        var sketch = Sketch.blank(width: view.width * across + 1, height: view.height * down + 1)
        let frame = Frame(palette.look.glyphs)
        for row in 0...view.height {
            for column in 0...view.width {
                let walls = walls(atCornerAbove: row, leftOf: column)
                let joint = frame.joint(
                    north: walls.north, east: walls.east, south: walls.south, west: walls.west)
                sketch.put(Sketch([String(joint)]), row: row * down, column: column * across)
                if walls.east {
                    let wall = String(repeating: frame.across, count: cell.width)
                    sketch.put(Sketch([wall]), row: row * down, column: column * across + 1)
                }
                if walls.south {
                    let wall = Array(repeating: String(frame.down), count: cell.height)
                    sketch.put(Sketch(wall), row: row * down + 1, column: column * across)
                }
            }
        }
        for (place, mark) in [(view.goal, goal(cell.height)), (view.figure, figure(cell.height))] {
            let (row, column) = view.position(of: place)
            sketch.put(mark, row: row * down + 1, column: column * across + 1)
        }
        return sketch
    }

    /// The walls that meet at the corner above and to the left of a cell, which may be just outside.
    private func walls(
        atCornerAbove row: Int, leftOf column: Int
    ) -> (north: Bool, east: Bool, south: Bool, west: Bool) {
        (
            hasWall(leftOf: column, row - 1), hasWall(above: row, column), hasWall(leftOf: column, row),
            hasWall(above: row, column - 1)
        )
    }

    private func hasWall(above row: Int, _ column: Int) -> Bool {
        guard (0..<view.width).contains(column) else { return false }
        return row == view.height || !isOpen(row, column, .north)
    }

    private func hasWall(leftOf column: Int, _ row: Int) -> Bool {
        guard (0..<view.height).contains(row) else { return false }
        return column == view.width || !isOpen(row, column, .west)
    }

    private func isOpen(_ row: Int, _ column: Int, _ side: LabyrinthView.Direction) -> Bool {
        view.openings[row * view.width + column].contains(side)
    }

    private func goal(_ height: Int) -> Sketch {
        height == 1 ? Sketch(["*"], palette.problem) : Sketch([" \\|/ ", " /|\\ "], palette.problem)
    }

    /// Points where it looks.
    private func figure(_ height: Int) -> Sketch {
        let lines =
            switch view.facing {
            case .north: height == 1 ? ["^"] : [" /^\\ ", "  |  "]
            case .east: height == 1 ? [">"] : [" --\\ ", " --/ "]
            case .south: height == 1 ? ["v"] : ["  |  ", " \\v/ "]
            case .west: height == 1 ? ["<"] : [" /-- ", " \\-- "]
            }
        return Sketch(lines, palette.chosen)
    }
}
