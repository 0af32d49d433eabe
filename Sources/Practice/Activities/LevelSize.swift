/// How large a level is. All of it follows from one number, the challenge.
package struct LevelSize: Hashable, Sendable {
    /// From 0.0 (easy) to 1.0 (hard).
    package let challenge: Float

    /// The size of a level: nine tenths from the difficulty, one tenth from the first eleven levels.
    package init(difficulty: Float, level: Int) {
        let progress = Float(min(max(level - 1, 0), 10)) / 10
        self.init(challenge: 0.9 * difficulty + 0.1 * progress)
    }

    /// A size; the challenge is brought into 0.0...1.0.
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
