import TestSupport

/// Decides which unsynced data survives a power cut.
struct Survival {
    private enum Rule {
        case always
        case never
        /// Each part with this probability.
        case of(percent: Int)
        /// The first parts, up to some point.
        case first(Int)
        /// The last parts, from some point on.
        case notFirst(Int)
    }

    /// The size of a sector, which is written whole or not at all, in bytes.
    let sector: Int
    private let rule: Rule
    private var generator: SplitMix64
    private var decisions = 0

    private init(_ rule: Rule, sector: Int = .max, generator: SplitMix64 = SplitMix64(seed: 0)) {
        (self.rule, self.sector, self.generator) = (rule, sector, generator)
    }

    /// All of it survives, as it does when only the program is killed.
    static var everything: Survival { Survival(.always) }
    /// Nothing of it survives.
    static var nothing: Survival { Survival(.never) }

    /// Some of it, in sectors of 512 or 4096 bytes, chosen by `generator`.
    static func some(_ generator: inout SplitMix64) -> Survival {
        let sector = generator.element(of: [512, 4096])
        let rule: Rule =
            switch generator.below(4) {
            case 0: .first(generator.below(64))
            case 1: .notFirst(generator.below(64))
            default: .of(percent: generator.element(of: [10, 50, 90]))
            }
        return Survival(rule, sector: sector, generator: SplitMix64(seed: generator.next()))
    }

    /// Whether the next part survives.
    mutating func decide() -> Bool {
        defer { decisions += 1 }
        switch rule {
        case .always: return true
        case .never: return false
        case .of(let percent): return generator.below(100) < percent
        case .first(let count): return decisions < count
        case .notFirst(let count): return decisions >= count
        }
    }
}
