import TestSupport
import Testing

@testable import Practice

@Suite struct DifficultyTests {
    /// (solved, mistakes, hints, the change).
    @Test(
        arguments: [
            (true, 0, 0, 0.02), (true, 1, 0, 0), (true, 2, 0, 0), (true, 3, 0, -0.08), (true, 0, 1, -0.08),
            (true, 1, 2, -0.08), (false, 0, 0, -0.10), (false, 4, 2, -0.10),
        ] as [(Bool, Int, Int, Float)])
    func `A level changes the difficulty`(solved: Bool, mistakes: Int, hints: Int, change: Float) {
        var progress = ActivityProgress(activityType: .raetselPuzzle)
        progress.finish(level: Sample.result(solved: solved, mistakes: mistakes, hints: hints))
        #expect(abs(progress.currentDifficulty - (0.3 + change)) < 0.0001)
    }

    @Test func `From the fourth level on, a slow one gains half`() {
        var progress = ActivityProgress(activityType: .raetselPuzzle)
        let gains = [10, 100, 20, 47, 30, 100].map { seconds in
            let before = progress.currentDifficulty
            progress.finish(level: Sample.result(seconds: seconds))
            return ((progress.currentDifficulty - before) * 1000).rounded()
        }
        // The averages before each level: 0, 10, 28, 26.4, 30.52, 30.416.
        #expect(gains == [20, 20, 20, 10, 20, 10])
        #expect(abs(progress.averageSolveTimeSeconds - 44.3328) < 0.0001)
    }

    @Test func `Who always solves goes from 0.3 to 0.9 in 30 levels, and never beyond 1`() {
        var progress = ActivityProgress(activityType: .raetselPuzzle)
        for _ in 0..<30 { progress.finish(level: Sample.result()) }
        #expect(progress.currentDifficulty == 0.9)
        for _ in 0..<30 { progress.finish(level: Sample.result()) }
        #expect(progress.currentDifficulty == 1)
    }

    @Test(arguments: [Sample.result(solved: false), Sample.result(hints: 1), Sample.result(mistakes: 3)])
    func `Who never does reaches 0 in at most four levels, and never less`(result: LevelResult) {
        var progress = ActivityProgress(activityType: .raetselPuzzle)
        for _ in 0..<4 { progress.finish(level: result) }
        #expect(progress.currentDifficulty == 0)
        progress.finish(level: result)
        #expect(progress.currentDifficulty == 0)
    }

    /// A single level moves the difficulty of a player by up to 0.08, so one player is judged by the mean of levels 41 to 60,
    /// and all players by their mean after level 60.
    @Test func `A thousand players of fixed ability settle where they solve four of five`() {
        var distances: [Double] = []
        var near = 0
        for number in 0..<1_000 {
            let ability = 0.3 + 0.7 * Double(number) / 1_000
            var player = SimulatedPlayer(ability: ability, seed: UInt64(number))
            let difficulties = (0..<60).map { _ in player.play() }
            let distance = difficulties.suffix(20).reduce(0, +) / 20 - player.restingDifficulty
            distances.append(distance)
            near += abs(distance) <= 0.1 ? 1 : 0
        }
        let mean = distances.reduce(0, +) / 1_000
        #expect(abs(mean) < 0.03, "the mean distance is \(mean)")
        #expect(near >= 900, "\(near) of 1,000 settled within 0.1")
    }

    @Test func `Finishing levels counts everything`() {
        var progress = ActivityProgress(activityType: .zahlenWuerfel)
        progress.finish(level: Sample.result(level: 1, mistakes: 2, seconds: 20))
        progress.finish(level: Sample.result(level: 2, solved: false, mistakes: 1, hints: 1, seconds: 5))
        progress.finish(level: Sample.result(level: 1, seconds: 30, at: Sample.noon.later(by: -60)))
        #expect((progress.currentLevel, progress.highestLevelCompleted) == (2, 1))
        #expect((progress.totalLevelsCompleted, progress.quitCount) == (2, 1))
        #expect((progress.mistakeCount, progress.hintRequestCount) == (3, 1))
        #expect(progress.totalTimeSpentSeconds == 55)
        #expect(abs(progress.averageSolveTimeSeconds - 22) < 0.0001)
        #expect(abs(progress.successRate - 0.84) < 0.0001)
        #expect(progress.lastPlayedDate == Sample.noon)
    }
}

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
