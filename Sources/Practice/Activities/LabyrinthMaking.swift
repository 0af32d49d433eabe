extension LabyrinthView {
    /// Makes a labyrinth whose shortest solution has as many keys as the challenge asks for.
    static func made(size: LevelSize, random: inout LevelRandom) -> LabyrinthView {
        let width = 3 + Int(9 * size.labyrinthComplexity)
        let height = size.challenge < 0.3 ? 3 : 4
        let wanted = 3 + Int(13 * size.challenge)
        var best: (view: LabyrinthView, distance: Int)?
        for _ in 0..<50 {
            let openings = tree(width: width, height: height, random: &random)
            for goal in openings.indices.reversed() where openings[goal].count == 1 && goal != 0 {
                let view = LabyrinthView(
                    width: width, height: height, openings: openings, goal: goal, figure: 0,
                    facing: openings[0].contains(.east) ? .east : .south)
                let distance = abs(view.keysToGoal().count - wanted)
                if distance < best?.distance ?? .max { best = (view, distance) }
            }
            if best?.distance == 0 { break }
        }
        guard let best else { preconditionFailure("a tree of nine cells or more has two dead ends") }
        return best.view
    }

    /// The open sides of a tree over all cells, grown from random cells (Prim's algorithm), so that it has many junctions and
    /// every cell can be reached in exactly one way.
    private static func tree(width: Int, height: Int, random: inout LevelRandom) -> [Set<Direction>] {
        var openings = Array(repeating: Set<Direction>(), count: width * height)
        var reached = [0]
        while reached.count < openings.count {
            let cell = random.element(of: reached)
            let free = Direction.allCases.filter { direction in
                let (row, column) = (cell / width, cell % width)
                return switch direction {
                case .north: row > 0 && openings[cell - width].isEmpty && cell - width != 0
                case .east: column < width - 1 && openings[cell + 1].isEmpty
                case .south: row < height - 1 && openings[cell + width].isEmpty
                case .west: column > 0 && openings[cell - 1].isEmpty && cell - 1 != 0
                }
            }
            guard !free.isEmpty else { continue }
            let direction = random.element(of: free)
            let next =
                switch direction {
                case .north: cell - width
                case .east: cell + 1
                case .south: cell + width
                case .west: cell - 1
                }
            openings[cell].insert(direction)
            openings[next].insert(direction.opposite)
            reached.append(next)
        }
        return openings
    }
}
