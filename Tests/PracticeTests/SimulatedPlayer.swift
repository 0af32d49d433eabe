import Practice
import TestSupport

/// A player of fixed ability: the chance to solve a level without mistake or hint is logistic in ability − difficulty. Every
/// level takes the same time, and one that is not solved cleanly ends with a hint.
struct SimulatedPlayer {
    /// How steep the chance is: from 0.88 at 0.2 below the own ability to 0.12 at 0.2 above it.
    static let steepness = 10.0

    /// Where the chance is one half.
    let ability: Double
    private(set) var progress = ActivityProgress(activityType: .zahlenWuerfel)
    private var random: SplitMix64

    init(ability: Double, seed: UInt64) {
        self.ability = ability
        random = SplitMix64(seed: seed)
    }

    /// The difficulty at which the chance is 0.8.
    var restingDifficulty: Double { ability - 1.386_294_361 / Self.steepness }

    /// Plays a level; returns the difficulty after it.
    mutating func play() -> Double {
        let distance = ability - Double(progress.currentDifficulty)
        let isClean = Double(random.below(1_000_000)) / 1_000_000 < Self.logistic(Self.steepness * distance)
        progress.finish(level: Sample.result(level: progress.currentLevel, hints: isClean ? 0 : 1))
        return Double(progress.currentDifficulty)
    }

    /// 1 / (1 + exp(−x)), with the series of the exponential function, so that the numbers are the same on every machine.
    private static func logistic(_ x: Double) -> Double {
        var (term, sum) = (1.0, 1.0)
        for index in 1...40 {
            term *= -x / 8 / Double(index)
            sum += term
        }
        let exponential = (0..<3).reduce(sum) { power, _ in power * power }
        return 1 / (1 + exponential)
    }
}
