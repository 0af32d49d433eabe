import CounterModel
import Linux
import TestSupport

@testable import Adapters

/// A counter with a total for some minutes: people pass, readings are lost, repeated and late, the total wraps or falls. `truth` is how many
/// passed after the first reading that came.
struct CounterRun {
    enum Kind: CaseIterable {
        case plain, wraps, resetsToZero, restoresOldValue, resetsAtHour, resetsAtStart

        /// In percent of the truth.
        var leastShare: Int {
            switch self {
            case .plain, .wraps: 99
            case .resetsAtHour: 96
            case .resetsToZero, .resetsAtStart, .restoresOldValue: 91
            }
        }
    }

    private let kind: Kind
    private var random: SplitMix64
    private var rules = CountingRules(mode: .cumulative)
    private(set) var counted = 0
    private(set) var truth = 0
    private(set) var story: [String] = []

    private var total = 0
    private var saved = 0
    private var passed = 0
    private var passedBefore: Int?
    private var startedAt = 0

    init(_ kind: Kind, seed: UInt64) {
        (self.kind, random) = (kind, SplitMix64(seed: seed))
        switch kind {
        case .plain, .restoresOldValue: break
        case .wraps: rules.wrap = 1000
        case .resetsToZero: rules.onFall = .zero
        case .resetsAtHour: rules.resets = [12 * 60]
        case .resetsAtStart: rules.resetsAtBoot = true
        }
        total = random.below(kind == .wraps ? 1000 : 400)
        saved = total
    }

    mutating func go() {
        // The state, as it was told at its minute, and the minute at which it comes.
        var sent: [(at: Int, order: Int, reading: Reading, passed: Int)] = []
        // From 11:30 on.
        let start = 1_795_348_800 + 41_400 - 1_795_348_800 % 86_400
        for minute in 0..<60 {
            step(minute)
            let time = Timestamp(seconds: start + minute * 60)
            var arrivals = [minute]
            switch random.below(10) {
            case 0, 1: arrivals = []
            case 2: arrivals = [minute, minute + random.below(3)]
            case 3: arrivals = [minute + random.below(6)]
            default: break
            }
            for arrival in arrivals {
                var reading = Reading(
                    stream: "x:y", numbers: InOut(in: total), time: time,
                    receivedAt: Timestamp(seconds: start + arrival * 60 + 1))
                reading.uptime = (minute - startedAt) * 60
                sent.append((arrival, sent.count, reading, passed))
            }
        }
        sent.sort { ($0.at, $0.order) < ($1.at, $1.order) }
        var stream = Stream(rules)
        for message in sent {
            // What the first reading that came tells is where the truth begins.
            if passedBefore == nil { passedBefore = message.passed }
            let verdict = stream.take(message.reading)
            counted += verdict.numbers.in ?? 0
            story.append(
                "\(message.reading.time.map { ($0.seconds - start) / 60 } ?? 0): \(message.reading.numbers.in ?? 0) \(verdict.rule) +\(verdict.numbers.in ?? 0)"
            )
        }
        truth = passed - (passedBefore ?? passed)
    }

    /// A minute passes.
    private mutating func step(_ minute: Int) {
        let people = random.below(8)
        passed += people
        total += people
        if random.below(6) == 0 { saved = total }
        let mayFall = minute > 2 && random.below(20) == 0
        switch kind {
        case .plain: break
        case .wraps: total %= 1000
        case .resetsToZero: if mayFall { total = 0 }
        case .restoresOldValue: if mayFall { total = saved }
        case .resetsAtHour: if minute == 30 { total = 0 }
        case .resetsAtStart: if mayFall { (total, startedAt) = (0, minute) }
        }
    }
}
