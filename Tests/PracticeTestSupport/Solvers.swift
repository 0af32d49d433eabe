package import Practice

/// Plays levels with the two keys, knowing only what a player sees. One solver for each activity.
package enum Solver {
    /// The keys that solve a level, beginning with what is seen at its start; `nil` where they do not.
    ///
    /// For the dice, the choice and the puzzle there is nothing shorter. In the labyrinth it is the shortest way too.
    package static func solve(_ level: Level) -> [LevelInput]? {
        var level = level
        var keys: [LevelInput] = []
        while level.phase == .playing, keys.count < 500 {
            for key in next(seeing: level.game) {
                keys.append(key)
                _ = level.take(key)
            }
        }
        return level.phase == .solved && level.mistakes == 0 && level.hints == 0 ? keys : nil
    }

    private static func next(seeing view: Game) -> [LevelInput] {
        switch view {
        case .dice(let view): Array(repeating: .up, count: view.dice.reduce(0, +)) + [.both]
        case .choice(let view): choose(view)
        case .puzzle(let view): [copy(view)]
        case .labyrinth(let view): Maze(view).shortestWay()
        }
    }

    private static func choose(_ view: Choice) -> [LevelInput] {
        guard let answer = view.numbers.firstIndex(of: view.count) else { return [.bothHeld] }
        let distance = answer - view.cursor
        return Array(repeating: distance > 0 ? .up : .down, count: abs(distance)) + [.both]
    }

    /// One key: everything is there to be seen.
    private static func copy(_ view: Puzzle) -> LevelInput {
        if view.pattern == view.copy { return .both }
        return view.pattern[view.cursor] == view.copy[view.cursor] ? .up : .down
    }
}

/// A labyrinth as a player sees it: cells by row and column, and the open sides of each.
struct Maze {
    private struct Pose: Hashable {
        var row: Int
        var column: Int
        var facing: Labyrinth.Direction
    }

    private let view: Labyrinth

    init(_ view: Labyrinth) { self.view = view }

    /// By breadth-first search in rounds: all poses that one more key reaches. Dead ends are left out.
    func shortestWay() -> [LevelInput] {
        let start = view.position(of: view.figure)
        var ways = [Pose(row: start.row, column: start.column, facing: view.facing): [LevelInput]()]
        var edge = Array(ways.keys)
        while !edge.isEmpty {
            var reached: [Pose] = []
            for pose in edge {
                guard let way = ways[pose] else { continue }
                if isGoal(pose) { return way }
                if open(pose).count == 1, (pose.row, pose.column) != start { continue }
                for (key, next) in [(LevelInput.up, walked(pose)), (.down, turned(pose))]
                where ways[next] == nil {
                    ways[next] = way + [key]
                    reached.append(next)
                }
            }
            edge = reached
        }
        return [.bothHeld]
    }

    private func isGoal(_ pose: Pose) -> Bool { pose.row * view.width + pose.column == view.goal }

    private func open(_ pose: Pose) -> Set<Labyrinth.Direction> {
        view.openings[pose.row * view.width + pose.column]
    }

    private func turned(_ pose: Pose) -> Pose {
        let order: [Labyrinth.Direction] = [.north, .east, .south, .west]
        var turned = pose
        repeat {
            turned.facing = order[(turned.facing.rawValue + 1) % 4]
        } while !open(pose).contains(
            turned.facing)
        return turned
    }

    private func walked(_ pose: Pose) -> Pose {
        var walked = step(pose)
        while open(walked).count == 2, !isGoal(walked) {
            let back = opposite(walked.facing)
            walked.facing = open(walked).first { $0 != back } ?? back
            walked = step(walked)
        }
        return open(walked).contains(walked.facing) ? walked : turned(walked)
    }

    private func step(_ pose: Pose) -> Pose {
        var next = pose
        switch pose.facing {
        case .north: next.row -= 1
        case .east: next.column += 1
        case .south: next.row += 1
        case .west: next.column -= 1
        }
        return next
    }

    private func opposite(_ direction: Labyrinth.Direction) -> Labyrinth.Direction {
        switch direction {
        case .north: .south
        case .east: .west
        case .south: .north
        case .west: .east
        }
    }
}
