import CounterTUI

/// `raetsel_labyrinth`: lead the figure to the goal.
package struct Labyrinth: Hashable, Sendable {
    /// A side of a cell, clockwise. North is up on the screen.
    package enum Direction: Int, CaseIterable, Sendable {
        case north, east, south, west

        var clockwise: Direction { turned(by: 1) }
        var opposite: Direction { turned(by: 2) }

        private func turned(by quarters: Int) -> Direction {
            Direction.allCases[(rawValue + quarters) % Direction.allCases.count]
        }
    }

    /// Cells in a row, 3...12, and in a column, 3...4.
    package let width: Int, height: Int
    /// The open sides of each cell, in rows from the top. A side is open in both of its cells or in none.
    package private(set) var openings: [Set<Direction>]
    /// The indices of the cells of the goal and of the figure.
    package private(set) var goal = 0, figure = 0
    /// Where the figure looks; always an open side.
    package private(set) var facing = Direction.south

    /// The row of a cell, from 0 at the top, and its column, from 0 at the left.
    package func position(of cell: Int) -> (row: Int, column: Int) { (cell / width, cell % width) }
}

// MARK: - Making one

extension Labyrinth {
    /// How many trees are tried for one with a dead end at the wanted distance.
    private static let mostTrees = 50

    /// Makes a labyrinth whose shortest solution has as many keys as the challenge asks for. The figure starts at the top
    /// left, and the goal is a dead end.
    init(_ size: LevelSize, _ random: inout LevelRandom) {
        let width = 3 + Int(9 * size.labyrinthComplexity)
        let height = size.challenge < 0.3 ? 3 : 4
        let wanted = 3 + Int(13 * size.challenge)
        var best: (labyrinth: Labyrinth, difference: Int)?
        for _ in 0..<Self.mostTrees {
            var tree = Labyrinth(treeOf: width, height, &random)
            let keys = tree.shortestKeys()
            for goal in tree.openings.indices.dropFirst() where tree.openings[goal].count == 1 {
                let difference = abs(keys[goal].count - wanted)
                guard difference < best?.difference ?? .max else { continue }
                tree.goal = goal
                best = (tree, difference)
            }
            if best?.difference == 0 { break }
        }
        guard let best else { preconditionFailure("a tree with several cells has two dead ends") }
        self = best.labyrinth
    }

    /// A tree over all cells, grown from random cells (Prim's algorithm), so that it has many junctions, and exactly one way
    /// leads to each cell. Its goal is where the figure starts.
    private init(treeOf width: Int, _ height: Int, _ random: inout LevelRandom) {
        (self.width, self.height) = (width, height)
        openings = Array(repeating: [], count: width * height)
        var reached = [0]
        while reached.count < openings.count {
            let cell = random.element(of: reached)
            let direction = random.element(of: Direction.allCases)
            guard let next = neighbour(of: cell, to: direction), next != 0, openings[next].isEmpty
            else { continue }
            openings[cell].insert(direction)
            openings[next].insert(direction.opposite)
            reached.append(next)
        }
        facing = openings[0].contains(.east) ? .east : .south
    }

    private func neighbour(of cell: Int, to direction: Direction) -> Int? {
        switch direction {
        case .north: cell >= width ? cell - width : nil
        case .east: cell % width < width - 1 ? cell + 1 : nil
        case .south: cell / width < height - 1 ? cell + width : nil
        case .west: cell % width > 0 ? cell - 1 : nil
        }
    }
}

// MARK: - Walking

extension Labyrinth: GameRules {
    var game: Game { .labyrinth(self) }

    mutating func up() -> LevelAnswer {
        (figure, facing) = end(ofWayFrom: figure, facing: facing)
        if figure == goal { return .solved }
        return openings[figure].count == 1 ? .mistake(hint: false) : .walked
    }

    mutating func down() -> LevelAnswer {
        facing = nextWay(at: figure, after: facing)
        return .turned(facing)
    }

    func both(givesHint: Bool) -> LevelAnswer { .hint(shortestKeys()[goal].first ?? .up) }

    /// The next open side clockwise, which may be the same one.
    private func nextWay(at cell: Int, after direction: Direction) -> Direction {
        var next = direction.clockwise
        while !openings[cell].contains(next) { next = next.clockwise }
        return next
    }

    /// Where a walk ends: at the goal, a junction or a dead end. The figure then looks ahead if that side is open, else in
    /// the next open direction clockwise; at a dead end, it looks back.
    private func end(ofWayFrom cell: Int, facing: Direction) -> (cell: Int, facing: Direction) {
        var (cell, facing) = (cell, facing)
        while let next = neighbour(of: cell, to: facing) {
            cell = next
            if cell == goal || openings[cell].count != 2 { break }
            let back = facing.opposite
            facing = openings[cell].first { $0 != back } ?? back
        }
        return (cell, openings[cell].contains(facing) ? facing : nextWay(at: cell, after: facing))
    }

    /// The shortest series of keys from the figure to each cell where a walk can end, by breadth-first search over cells and
    /// directions; empty for other cells. A way through a dead end may be shorter, as the figure turns there by itself, but
    /// is a mistake and left out.
    private func shortestKeys() -> [[LevelInput]] {
        struct Pose: Hashable {
            let cell: Int
            let facing: Direction
        }
        var shortest = openings.map { _ in [LevelInput]() }
        var queue = [(pose: Pose(cell: figure, facing: facing), keys: [LevelInput]())]
        var seen = Set(queue.map(\.pose))
        var next = 0
        while next < queue.count {
            let (pose, keys) = queue[next]
            next += 1
            if shortest[pose.cell].isEmpty { shortest[pose.cell] = keys }
            if openings[pose.cell].count == 1, pose.cell != figure { continue }
            let walked = end(ofWayFrom: pose.cell, facing: pose.facing)
            let turned = nextWay(at: pose.cell, after: pose.facing)
            for (key, reached) in [
                (LevelInput.up, Pose(cell: walked.cell, facing: walked.facing)),
                (.down, Pose(cell: pose.cell, facing: turned)),
            ] where seen.insert(reached).inserted {
                queue.append((reached, keys + [key]))
            }
        }
        return shortest
    }
}

// MARK: - Drawing

/// A cell has a wall on each side that is not open.
extension Labyrinth {
    func drawings(_ palette: Palette) -> [Grid] {
        [drawn(cell: (5, 2), palette), drawn(cell: (2, 1), palette)]
    }

    /// The part around the figure, and where the goal is.
    func compact(_ palette: Palette, in space: Size) -> Grid {
        let (row, column) = position(of: figure)
        let (goalRow, goalColumn) = position(of: goal)
        let (right, down) = (goalColumn - column, goalRow - row)
        let way = [
            right == 0 ? nil : "\(abs(right)) \(right > 0 ? "right" : "left")",
            down == 0 ? nil : "\(abs(down)) \(down > 0 ? "down" : "up")",
        ].compactMap(\.self).joined(separator: ", ")
        return drawn(cell: (2, 1), palette).part(
            around: 2 * row + 1, 3 * column + 1, width: space.columns, height: max(3, space.rows - 1)
        ).above(Grid(["* \(way)"], palette.problem))
    }

    /// The whole labyrinth; `cell` is the columns and rows inside of a cell.
    private func drawn(cell: (width: Int, height: Int), _ palette: Palette) -> Grid {
        let (across, down) = (cell.width + 1, cell.height + 1)
        var grid = Grid.blank(width: width * across + 1, height: height * down + 1)
        for row in 0...height {
            for column in 0...width {
                let (east, south) = (hasWall(above: row, column), hasWall(leftOf: column, row))
                let joint = palette.joint(
                    north: hasWall(leftOf: column, row - 1), east: east, south: south,
                    west: hasWall(above: row, column - 1))
                let wall = east ? String(repeating: palette.across, count: cell.width) : ""
                let corner = Point(column: column * across, row: row * down)
                grid.write(joint + wall, at: corner)
                if south {
                    let wall = Grid(Array(repeating: palette.down, count: cell.height))
                    grid.draw(wall, at: Point(column: corner.column, row: corner.row + 1))
                }
            }
        }
        let marks = [
            (goal, Grid(cell.height == 1 ? ["*"] : [" \\|/ ", " /|\\ "], palette.problem)),
            (figure, Grid(facing.arrow(isSmall: cell.height == 1), palette.chosen)),
        ]
        for (place, mark) in marks {
            let (row, column) = position(of: place)
            grid.draw(mark, at: Point(column: column * across + 1, row: row * down + 1))
        }
        return grid
    }

    private func hasWall(above row: Int, _ column: Int) -> Bool {
        guard (0..<width).contains(column) else { return false }
        return row == height || !openings[row * width + column].contains(.north)
    }

    private func hasWall(leftOf column: Int, _ row: Int) -> Bool {
        guard (0..<height).contains(row) else { return false }
        return column == width || !openings[row * width + column].contains(.west)
    }
}

extension Labyrinth.Direction {
    /// The figure, which points where it looks.
    fileprivate func arrow(isSmall: Bool) -> [String] {
        switch self {
        case .north: isSmall ? ["^"] : [" /^\\ ", "  |  "]
        case .east: isSmall ? [">"] : [" --\\ ", " --/ "]
        case .south: isSmall ? ["v"] : ["  |  ", " \\v/ "]
        case .west: isSmall ? ["<"] : [" /-- ", " \\-- "]
        }
    }
}
