import TestSupport
import Testing

@testable import Practice

@Suite struct LevelTests {
    /// Ten steps of difficulty, from easy to hard.
    private static let difficulties = (0...10).map { Float($0) / 10 }

    /// The seeds of this run, for each activity and difficulty.
    private static let seeds = Volume.of(sample: 200, full: UInt64(0)..<10_000)

    @Test(arguments: ActivityType.allCases)
    func `Every level can be solved with two keys by what is seen, and harder ones need more decisions`(
        activity: ActivityType
    ) {
        var medians: [Double] = []
        for difficulty in Self.difficulties {
            var decisions: [Int] = []
            for seed in Self.seeds {
                let level = Level(activity, seed: seed, difficulty: difficulty, number: 1)
                guard let keys = Solver.solve(level) else {
                    Issue.record("\(activity) of seed \(seed) at \(difficulty) was not solved")
                    return
                }
                decisions.append(keys.count)
            }
            medians.append(median(decisions))
        }
        for (easier, harder) in zip(medians, medians.dropFirst()) {
            #expect(easier < harder, "\(activity): the medians are \(medians)")
        }
    }

    @Test(arguments: ActivityType.allCases)
    func `Later levels of the same difficulty are harder, and all can be solved`(activity: ActivityType) {
        let medians = [1, 11].map { number in
            median(
                Self.seeds.map {
                    let level = Level(activity, seed: $0, difficulty: 0.5, number: number)
                    return Solver.solve(level)?.count ?? 0
                })
        }
        #expect(medians[0] < medians[1], "\(medians)")
        for seed in Self.seeds.prefix(200) {
            let level = Level(activity, seed: seed, difficulty: 1, number: 1_000_000)
            #expect(Solver.solve(level) != nil, "seed \(seed)")
        }
    }

    @Test(arguments: ActivityType.allCases)
    func `A level is the same each time, and another one from another seed`(activity: ActivityType) {
        let levels = (0..<40).map { Level(activity, seed: $0, difficulty: 0.6, number: 3) }
        #expect(levels == (0..<40).map { Level(activity, seed: $0, difficulty: 0.6, number: 3) })
        #expect(Set(levels).count > 10)
    }

    @Test func `Hints alone lead to the goal of a labyrinth, through no dead end`() {
        for seed in Volume.of(sample: 50, full: UInt64(0)..<1_000) {
            var level = Level(.raetselLabyrinth, seed: seed, difficulty: 0.9, number: 1)
            for _ in 0..<60 where !level.isSolved {
                let answer = level.take(.both)
                guard case .hint(let key) = answer else { continue }
                #expect(English.answer(answer, level.game) == "Hint: press \(key).")
                _ = level.take(key)
            }
            #expect(level.isSolved && level.mistakes == 0, "seed \(seed)")
        }
    }

    @Test(arguments: ActivityType.allCases)
    func `Any keys are taken, and do the same each time`(activity: ActivityType) {
        for seed in Volume.of(sample: 40, full: UInt64(0)..<2_000) {
            var random = SplitMix64(seed: seed)
            let level = Level(activity, seed: seed, difficulty: Float(random.below(11)) / 10, number: 2)
            let keys = (0..<60).map { _ in random.element(of: LevelInput.allCases) }
            let played = [level, level].map { start in
                keys.reduce(into: start) { level, key in _ = level.take(key) }
            }
            #expect(played[0] == played[1])
        }
    }

    private func median(_ numbers: [Int]) -> Double {
        let sorted = numbers.sorted()
        return Double(sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

@Suite struct LevelSizeTests {
    @Test func `The size of a new profile is that of its difficulty`() {
        let profile = LearningProfile()
        let size = LevelSize(challenge: profile.globalDifficultyLevel)
        #expect(size.numberRange == profile.numberRange)
        #expect(size.puzzleGridSize == profile.puzzleGridSizePreference)
        #expect(size.puzzleColorCount == profile.puzzleColorCount)
        #expect(abs(size.labyrinthComplexity - profile.labyrinthComplexity) < 0.0001)
    }

    @Test func `Sizes stay in their ranges and grow`() {
        let sizes = (-2...12).map { LevelSize(challenge: Float($0) / 10) }
        for (smaller, larger) in zip(sizes, sizes.dropFirst()) {
            #expect(smaller.labyrinthComplexity <= larger.labyrinthComplexity)
            #expect(smaller.puzzleGridSize <= larger.puzzleGridSize)
            #expect(smaller.puzzleColorCount <= larger.puzzleColorCount)
        }
        #expect(Set(sizes.map(\.puzzleGridSize)) == [3, 4, 5, 6])
        #expect(Set(sizes.map(\.puzzleColorCount)) == [2, 3, 4])
        #expect(Set(sizes.map(\.numberRange)) == [10, 20])
        #expect(sizes.map(\.labyrinthComplexity).min() == 0 && sizes.map(\.labyrinthComplexity).max() == 1)
    }
}
