/// `raetsel_labyrinth`: lead the figure to the goal.
struct LabyrinthLevel: Hashable, Sendable {
    private(set) var view: LabyrinthView

    init(size: LevelSize, random: LevelRandom) {
        var random = random
        view = LabyrinthView.made(size: size, random: &random)
    }

    mutating func take(_ input: LevelInput) -> LevelAnswer {
        view.hint = nil
        switch input {
        case .up: return walk()
        case .down:
            view.facing = view.nextWay(at: view.figure, after: view.facing)
            return .turned(view.facing)
        case .both:
            let key = view.shortestKeys()[view.goal].first ?? .up
            view.hint = key
            return .hint(key)
        case .bothHeld: return .quit
        }
    }

    private mutating func walk() -> LevelAnswer {
        (view.figure, view.facing) = view.end(ofWayFrom: view.figure, facing: view.facing)
        if view.figure == view.goal { return .solved }
        return view.openings[view.figure].count == 1
            ? .mistake(.deadEnd(view.figure)) : .walked(view.figure)
    }
}

/// How the figure moves.
extension LabyrinthView {
    /// The cell beside another one; `nil` outside of the labyrinth.
    static func neighbour(of cell: Int, to direction: Direction, width: Int, height: Int) -> Int? {
        switch direction {
        case .north: cell >= width ? cell - width : nil
        case .east: cell % width < width - 1 ? cell + 1 : nil
        case .south: cell / width < height - 1 ? cell + width : nil
        case .west: cell % width > 0 ? cell - 1 : nil
        }
    }

    /// The next open side clockwise, which may be the same one.
    func nextWay(at cell: Int, after direction: Direction) -> Direction {
        var next = direction.clockwise
        while !openings[cell].contains(next) { next = next.clockwise }
        return next
    }

    /// Where a walk ends: at the goal, a junction or a dead end. The figure then looks ahead if that side is open, else in
    /// the next open direction clockwise; at a dead end, it looks back.
    func end(ofWayFrom cell: Int, facing: Direction) -> (cell: Int, facing: Direction) {
        var (cell, facing) = (cell, facing)
        while let next = Self.neighbour(of: cell, to: facing, width: width, height: height) {
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
    func shortestKeys() -> [[LevelInput]] {
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
