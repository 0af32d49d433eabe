/// The formulas of adaptive difficulty, all in this place.
package enum Difficulty {
    /// After a level without mistake or hint.
    package static let gain: Float = 0.02
    /// After a level with a hint or more than two mistakes.
    package static let loss: Float = 0.08
    /// After a level that was quit.
    package static let lossAfterQuit: Float = 0.10
    /// The mistakes of a level that change nothing.
    static let toleratedMistakes = 2
    /// How many times the own average a slow level takes.
    static let slowFactor = 1.5
    /// The solved levels after which slowness matters.
    static let levelsBeforeSlow = 3
    /// The weight of the newest value in an exponential average.
    static let weight = 0.2

    /// How a level changes the difficulty. As a gain is a quarter of a loss, a player rests where four of five levels are
    /// solved cleanly.
    static func change(after result: LevelResult, progress: ActivityProgress) -> Float {
        guard result.solved else { return -lossAfterQuit }
        if result.hints > 0 || result.mistakes > toleratedMistakes { return -loss }
        if result.mistakes > 0 { return 0 }
        let isSlow =
            progress.totalLevelsCompleted >= levelsBeforeSlow
            && result.solveTime.inSeconds > slowFactor * progress.averageSolveTimeSeconds
        return isSlow ? gain / 2 : gain
    }

    /// A difficulty after a change: within 0.0...1.0, in whole thousandths, so that rounding errors do not add up.
    static func changed(_ difficulty: Float, by change: Float) -> Float {
        min(max(((difficulty + change) * 1000).rounded() / 1000, 0), 1)
    }

    /// An exponential average after one more value. The first value counts whole.
    static func average(_ average: Double, with value: Double, isFirst: Bool) -> Double {
        isFirst ? value : average + weight * (value - average)
    }
}

extension Duration {
    /// In seconds, with fractions.
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
