extension LabyrinthView {
    /// How many trees are tried for one with a dead end at the wanted distance.
    private static let mostTrees = 50

    /// Makes a labyrinth whose shortest solution has as many keys as the challenge asks for. The figure starts at the top
    /// left, and the goal is a dead end.
    static func made(size: LevelSize, random: inout LevelRandom) -> LabyrinthView {
        let width = 3 + Int(9 * size.labyrinthComplexity)
        let height = size.challenge < 0.3 ? 3 : 4
        let wanted = 3 + Int(13 * size.challenge)
        var best: (view: LabyrinthView, difference: Int)?
        for _ in 0..<mostTrees {
            let tree = tree(width: width, height: height, random: &random)
            let keys = tree.shortestKeys()
            for goal in tree.openings.indices.dropFirst() where tree.openings[goal].count == 1 {
                let difference = abs(keys[goal].count - wanted)
                if difference < best?.difference ?? .max { best = (tree.with(goal: goal), difference) }
            }
            if best?.difference == 0 { break }
        }
        guard let best else { preconditionFailure("a tree with several cells has two dead ends") }
        return best.view
    }

    /// A tree over all cells, grown from random cells (Prim's algorithm), so that it has many junctions, and exactly one way
    /// leads to each cell. Its goal is where the figure starts.
    private static func tree(width: Int, height: Int, random: inout LevelRandom) -> LabyrinthView {
        var openings = Array(repeating: Set<Direction>(), count: width * height)
        var reached = [0]
        while reached.count < openings.count {
            let cell = random.element(of: reached)
            let direction = random.element(of: Direction.allCases)
            guard let next = neighbour(of: cell, to: direction, width: width, height: height),
                next != 0, openings[next].isEmpty
            else { continue }
            openings[cell].insert(direction)
            openings[next].insert(direction.opposite)
            reached.append(next)
        }
        return LabyrinthView(
            width: width, height: height, openings: openings, goal: 0, figure: 0,
            facing: openings[0].contains(.east) ? .east : .south)
    }

    private func with(goal: Int) -> LabyrinthView {
        LabyrinthView(
            width: width, height: height, openings: openings, goal: goal, figure: figure, facing: facing)
    }
}
