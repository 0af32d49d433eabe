package import CounterModel

/// The activities. The raw values are stored, and stay what they are.
package enum ActivityType: String, CaseIterable, Sendable {
    case raetselPuzzle = "raetsel_puzzle"
    case raetselLabyrinth = "raetsel_labyrinth"
    case zahlenWuerfel = "zahlen_wuerfel"
    case zahlenWaehle = "zahlen_waehle"
}

/// What an input did in a level. Sounds and spoken texts are made from it.
package enum LevelAnswer: Hashable, Sendable {
    /// The dice: this many presses so far. The choice: at this number now; `noFurther`: there is none in that direction.
    case number(Int), noFurther(Int)
    /// The choice: a right number, and another question follows.
    case nextQuestion
    /// The puzzle: at another cell now; `color`: the cell's new colour.
    case cell, color(Puzzle.Color)
    /// The labyrinth: looks in this direction now; `walked`: at another cell; `hint`: the key to press next.
    case turned(Labyrinth.Direction), walked, hint(LevelInput)
    /// Not right, as the game shows. After several mistakes a hint says what to do.
    case mistake(hint: Bool)
    case solved

    /// The key that is told to be the next, which the screen marks; `game` is as after the answer.
    func nextKey(in game: Game) -> LevelInput? {
        switch (self, game) {
        case (.hint(let key), _): key
        case (.mistake, .dice(let dice)): dice.pressed < dice.pips ? .up : .down
        case (.mistake, .labyrinth): .up
        case (.mistake, _), (.number, _), (.noFurther, _), (.nextQuestion, _), (.cell, _), (.color, _),
            (.turned, _), (.walked, _), (.solved, _):
            nil
        }
    }
}

/// A level of an activity as a state machine: inputs change what is shown, until it is solved.
///
/// The same arguments make the same level on every machine.
package struct Level: Hashable, Sendable {
    package let activity: ActivityType
    /// From 1.
    let number: Int
    package private(set) var game: Game
    package private(set) var isSolved = false
    package private(set) var mistakes = 0
    /// Hints so far, asked for or given.
    package private(set) var hints = 0

    private let mistakesBeforeHint: Int

    /// `seed`: which of its levels of this size; `mistakesBeforeHint`: at which mistake a hint is given.
    package init(
        _ activity: ActivityType, seed: UInt64, difficulty: Float, number: Int, mistakesBeforeHint: Int = 3
    ) {
        (self.activity, self.number, self.mistakesBeforeHint) = (activity, number, mistakesBeforeHint)
        var random = LevelRandom(seed: seed)
        game = Game(activity, LevelSize(difficulty: difficulty, level: number), &random)
    }

    package mutating func take(_ input: LevelInput) -> LevelAnswer {
        let answer = game.take(input, givesHint: mistakes + 1 >= mistakesBeforeHint)
        switch answer {
        case .solved: isSolved = true
        case .hint: hints += 1
        case .mistake(let hint):
            mistakes += 1
            hints += hint ? 1 : 0
        case .number, .noFurther, .nextQuestion, .cell, .color, .turned, .walked: break
        }
        return answer
    }
}

/// How a level ended, as it is told to the rules of difficulty, coins and streaks.
package struct LevelResult: Hashable, Sendable {
    package internal(set) var activity: ActivityType
    /// The number of the level, from 1.
    package internal(set) var level: Int
    package internal(set) var solved: Bool
    package internal(set) var mistakes: Int
    /// Hints, asked for or given.
    package internal(set) var hints: Int
    /// The time from the first showing to the end, without the time that the player was idle.
    package internal(set) var solveTime: Duration
    package internal(set) var endedAt: Timestamp

    var isClean: Bool { solved && mistakes == 0 && hints == 0 }
}

/// How large a level is. All of it follows from one number, the challenge.
package struct LevelSize: Hashable, Sendable {
    /// From 0.0 (easy) to 1.0 (hard).
    package let challenge: Float

    /// The size of a level: nine tenths from the difficulty, one tenth from the first eleven levels.
    package init(difficulty: Float, level: Int) {
        let progress = Float(min(max(level - 1, 0), 10)) / 10
        self.init(challenge: 0.9 * difficulty + 0.1 * progress)
    }

    /// The challenge is brought into 0.0...1.0.
    package init(challenge: Float) { self.challenge = min(max(challenge, 0), 1) }

    /// The largest number: 10 or 20.
    package var numberRange: Int { challenge < 0.5 ? 10 : 20 }

    /// Rows and columns of the pattern, 3...6.
    package var puzzleGridSize: Int { challenge < 0.5 ? 3 : challenge < 0.7 ? 4 : challenge < 0.85 ? 5 : 6 }

    /// 2...4.
    package var puzzleColorCount: Int { challenge < 0.5 ? 2 : challenge < 0.75 ? 3 : 4 }

    /// 0.0...1.0; 0.2 at a challenge of 0.3, as in a new ``LearningProfile``.
    package var labyrinthComplexity: Float { challenge * (10 * challenge + 11) / 21 }
}

/// The random numbers of a level: the same from the same seed on every machine (SplitMix64; Steele, Lea and Flood, 2014).
struct LevelRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() >> 1) % range.count
    }

    mutating func element<Element>(of elements: [Element]) -> Element {
        elements[number(in: 0...elements.count - 1)]
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var shuffled = elements
        for last in stride(from: elements.count - 1, to: 0, by: -1) {
            shuffled.swapAt(last, number(in: 0...last))
        }
        return shuffled
    }
}
