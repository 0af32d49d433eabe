@testable import Practice

/// Plays levels with the keys, knowing only what was spoken.
struct Listener {
    /// Presses a key, and returns what is spoken then.
    private let speaks: (LevelInput) -> String
    /// How a solved level sounds.
    private let end: String
    private var heard: String
    /// All that was spoken, and the keys that were pressed.
    private(set) var transcript: [String]

    /// `task` is what is spoken when the level begins.
    init(_ task: String, end: String, speaks: @escaping (LevelInput) -> String) {
        (heard, transcript) = (task, [task])
        (self.end, self.speaks) = (end, speaks)
    }

    /// A listener to a level alone.
    init(_ level: Level) {
        var level = level
        self.init(English.task(level.game), end: "Solved. Well done!") {
            let answer = level.take($0)
            return English.answer(answer, level.game)
        }
    }

    /// Presses a key, and hears what it did.
    private mutating func press(_ key: LevelInput) {
        heard = speaks(key)
        transcript += ["\(key)", heard]
    }

    private var isSolved: Bool { heard.hasPrefix(end) }

    /// The words of what was heard last, without punctuation.
    private var words: [String] {
        heard.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    // MARK: The activities

    /// - Returns: Whether the level was solved.
    mutating func play() -> Bool {
        switch words[0] {
        case "The": playDice()
        case "Count": playChoice()
        case "Copy": playPuzzle()
        case "Find": playLabyrinth()
        default: break
        }
        return isSolved
    }

    private mutating func playDice() {
        let total =
            heard.components(between: "Together ", and: ".") ?? heard.components(between: "show ", and: ".")
        let single = heard.components(between: "shows ", and: ".")
        for _ in 0..<number(total ?? single ?? "") { press(.up) }
        press(.both)
    }

    /// Counts the things by ear.
    private mutating func playChoice() {
        for _ in 0..<20 where !isSolved {
            let things = heard.components(between: "Count: ", and: ".") ?? ""
            let count = things.split(separator: ",").count
            var at = number(heard.components(between: "You are at ", and: ".") ?? "")
            for _ in 0..<10 where at != count {
                press(at < count ? .up : .down)
                at = number(heard)
            }
            press(.both)
        }
    }

    /// Changes each cell until it is what it should be.
    private mutating func playPuzzle() {
        let rows = number(heard.components(between: "Copy the pattern: ", and: " rows") ?? "")
        for cell in 0..<rows * rows {
            let wanted = heard.components(between: "it should be a ", and: ".") ?? ""
            var color = heard.components(between: "it is a ", and: ",") ?? ""
            for _ in 0..<4 where color != wanted {
                press(.down)
                color = heard
            }
            if cell < rows * rows - 1 { press(.up) }
        }
        press(.both)
    }

    /// Explores: at each place it takes an open direction that it has not taken there yet, and otherwise the one that it took
    /// longest ago (rotor walk, which visits everything).
    private mutating func playLabyrinth() {
        var taken: [String: [String: Int]] = [:]
        for step in 1...2_000 where !isSolved {
            let place = heard.components(between: "You are at ", and: ", looking") ?? ""
            let open = (heard.components(between: "Open: ", and: ".") ?? "").split(separator: ",")
                .map { $0.filter { $0.isLetter } }
            var looking = heard.components(between: "looking ", and: ".") ?? ""
            let way = open.min { (taken[place]?[$0] ?? 0) < (taken[place]?[$1] ?? 0) } ?? looking
            taken[place, default: [:]][way] = step
            for _ in 0..<4 where looking != way {
                press(.down)
                looking = heard.components(between: "Looking ", and: ".") ?? ""
            }
            press(.up)
        }
    }

    private func number(_ word: String) -> Int {
        let known = [
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
        ]
        return Int(word) ?? (known.firstIndex(of: word) ?? -1) + 1
    }
}

extension String {
    /// The text between two others, the first time they occur.
    fileprivate func components(between start: String, and end: String) -> String? {
        guard let first = ranges(of: start).first else { return nil }
        let rest = self[first.upperBound...]
        guard let last = rest.ranges(of: end).first else { return nil }
        return String(rest[..<last.lowerBound])
    }
}

/// Plays levels with the two keys, by what a player sees; in the labyrinth, by trying the keys.
enum Solver {
    /// The keys that solve a level, beginning with what is seen at its start; `nil` where they do not.
    ///
    /// For the dice, the choice and the puzzle there is nothing shorter. In the labyrinth it is the shortest way too.
    static func solve(_ level: Level) -> [LevelInput]? {
        var level = level
        var keys: [LevelInput] = []
        while !level.isSolved, keys.count < 500 {
            for key in next(in: level) {
                keys.append(key)
                _ = level.take(key)
            }
        }
        return level.isSolved && level.mistakes == 0 && level.hints == 0 ? keys : nil
    }

    private static func next(in level: Level) -> [LevelInput] {
        switch level.game {
        case .dice(let view): Array(repeating: .up, count: view.dice.reduce(0, +)) + [.both]
        case .choice(let view): choose(view)
        case .puzzle(let view): [copy(view)]
        case .labyrinth: shortestWay(through: level)
        }
    }

    private static func choose(_ view: Choice) -> [LevelInput] {
        guard let answer = view.numbers.firstIndex(of: view.count) else { return [.both] }
        let distance = answer - view.cursor
        return Array(repeating: distance > 0 ? .up : .down, count: abs(distance)) + [.both]
    }

    /// One key: everything is there to be seen.
    private static func copy(_ view: Puzzle) -> LevelInput {
        if view.pattern == view.copy { return .both }
        return view.pattern[view.cursor] == view.copy[view.cursor] ? .up : .down
    }

    /// By breadth-first search in rounds: all places and directions that one more key reaches. Dead ends, which are mistakes, are
    /// left out.
    private static func shortestWay(through level: Level) -> [LevelInput] {
        var reached = [(level: level, keys: [LevelInput]())]
        var seen: Set<[Int]> = []
        while !reached.isEmpty {
            let next = reached.flatMap { reached in
                [LevelInput.up, .down].map { key in
                    var level = reached.level
                    _ = level.take(key)
                    return (level: level, keys: reached.keys + [key])
                }
            }
            if let end = next.first(where: \.level.isSolved) { return end.keys }
            reached = next.filter { next in
                guard case .labyrinth(let view) = next.level.game else { return false }
                let isNew = seen.insert([view.figure, view.facing.rawValue]).inserted
                return isNew && next.level.mistakes == level.mistakes
            }
        }
        return [.both]
    }
}
