import Linux
import TestSupport

@testable import KeyProtocol
@testable import VolumeInput

/// An outcome: a count that was not taken back, or a reset.
struct Outcome: Hashable, Comparable, CustomStringConvertible {
    enum Kind: Int { case up, down, both, reset }
    var time: MonotonicTime
    var kind: Kind

    static func < (a: Self, b: Self) -> Bool { (a.time, a.kind.rawValue) < (b.time, b.kind.rawValue) }

    var description: String {
        let name =
            switch kind {
            case .up: "+1"
            case .down: "-1"
            case .both: "both"
            case .reset: "reset"
            }
        return "\(name)@\(milliseconds(time))"
    }
}

/// The level after these outcomes.
func total(_ outcomes: [Outcome]) -> Int {
    outcomes.sorted().reduce(0) { sum, outcome in
        switch outcome.kind {
        case .up: sum + 1
        case .down: sum - 1
        case .both, .reset: 0
        }
    }
}

/// When the program reads its clock during a script.
enum Reading: Hashable, Sendable {
    /// Woken at each deadline, exactly.
    case prompt
    /// Only by events: time passes at their stamps and at the end.
    case byEventsOnly
    /// The clock is ahead of each frame by this much when the frame is read.
    case late(Duration)
    /// At arbitrary moments, before and after what is read next.
    case random(seed: UInt64)
}

/// A run of a script through the recogniser: its events, and the outcomes.
struct GestureRun {
    private(set) var events: [VolumeEvent] = []
    private(set) var recognizer: GestureRecognizer
    private var counts: [CountID: Outcome] = [:]
    private var takenBack: Set<CountID> = []
    private var resets: [Outcome] = []
    /// Contradictions: an event before its time, an id out of order, or taken back twice or without having been counted.
    private(set) var violations: [String] = []
    /// The latest time that the recogniser was given.
    private var seenUntil = MonotonicTime(microseconds: .min)

    init(
        _ script: GestureScript, timing: GestureTiming = GestureTiming(), reading: Reading = .prompt,
        admitsChords: Bool = true, heldChord: Duration? = nil
    ) {
        recognizer = GestureRecognizer(timing: timing, heldChord: heldChord)
        recognizer.admitsChords = admitsChords
        var random = SplitMix64(seed: 0)
        if case .random(let seed) = reading { random = SplitMix64(seed: seed) }
        for step in script.steps {
            pass(until: step.stamp, reading, &random)
            take(step)
        }
        if reading == .prompt { wakeUntil(script.end) }
        advance(to: script.end)
    }

    /// All events, in words: `+1@0 -1@120 void(+1@0) both@150 limit(up)@30000`.
    var trace: String { events.map(word).joined(separator: " ") }

    private func word(_ event: VolumeEvent) -> String {
        let time = milliseconds(event.timestamp)
        return switch event.type {
        case .volumeUp: "+1@\(time)"
        case .volumeDown: "-1@\(time)"
        case .simultaneousBoth: "both@\(time)"
        case .reset: "reset@\(time)"
        case .takenBack(let ids):
            "void(\(ids.map { counts[$0].map { "\($0)" } ?? "?" }.joined(separator: " ")))"
        case .bothHeld: "held@\(time)"
        case .bothReleased(let wereHeld): "\(wereHeld ? "after-hold" : "released")@\(time)"
        case .holdLimitReached(let key): "limit(\(key))@\(time)"
        }
    }

    /// The outcomes, in the order of time.
    var outcomes: [Outcome] { (resets + counts.filter { !takenBack.contains($0.key) }.values).sorted() }

    /// The outcomes, in words.
    var kept: String { outcomes.map(\.description).joined(separator: " ") }

    // MARK: - Time

    private mutating func pass(until stamp: MonotonicTime, _ reading: Reading, _ random: inout SplitMix64) {
        switch reading {
        case .prompt: wakeUntil(stamp)
        case .byEventsOnly: break
        case .late(let delay): advance(to: stamp + delay)
        case .random:
            for _ in 0..<random.below(3) {
                advance(to: stamp + .microseconds(Int64(random.below(4_000_000)) - 1_000_000))
            }
        }
    }

    /// Wakes at each deadline before `stamp`, as a program does that is never late.
    private mutating func wakeUntil(_ stamp: MonotonicTime) {
        while let deadline = recognizer.deadline, deadline < stamp {
            advance(to: deadline)
            if let next = recognizer.deadline, next <= deadline { return violations.append("deadline stays") }
        }
    }

    private mutating func advance(to now: MonotonicTime) { tell(now) { $0.advance(to: now, into: &$1) } }

    private mutating func take(_ step: GestureScript.Step) {
        switch step.action {
        case .frame(let node, let changes):
            tell(step.stamp) {
                $0.handle(KeyFrame(node: node, stamp: step.stamp, changes: changes), into: &$1)
            }
        case .drop(let node, let keys):
            tell(step.stamp) { $0.resynchronize(node, down: keys, at: step.stamp, into: &$1) }
        case .gone(let node): tell(step.stamp) { $0.cancel(node, at: step.stamp, into: &$1) }
        case .ahead: advance(to: step.stamp)
        }
    }

    // MARK: - What is told

    private mutating func tell(
        _ now: MonotonicTime, _ body: (inout GestureRecognizer, inout [VolumeEvent]) -> Void
    ) {
        var told: [VolumeEvent] = []
        body(&recognizer, &told)
        seenUntil = max(seenUntil, now)
        for event in told { note(event) }
        events += told
    }

    private mutating func note(_ event: VolumeEvent) {
        if event.timestamp > seenUntil { violations.append("\(event) is told before its time (G13)") }
        switch event.type {
        case .volumeUp(let id, _): count(id, Outcome(time: event.timestamp, kind: .up))
        case .volumeDown(let id, _): count(id, Outcome(time: event.timestamp, kind: .down))
        case .simultaneousBoth: resets.append(Outcome(time: event.timestamp, kind: .both))
        case .reset: resets.append(Outcome(time: event.timestamp, kind: .reset))
        case .takenBack(let ids): takeBack(ids)
        case .bothHeld, .bothReleased, .holdLimitReached: break
        }
    }

    private mutating func count(_ id: CountID, _ outcome: Outcome) {
        if id.rawValue != UInt64(counts.count) { violations.append("\(id) after \(counts.count) counts") }
        counts[id] = outcome
    }

    private mutating func takeBack(_ ids: [CountID]) {
        if ids.isEmpty { violations.append("an empty void") }
        for id in ids {
            if counts[id] == nil { violations.append("\(id) taken back, never counted") }
            if !takenBack.insert(id).inserted { violations.append("\(id) taken back twice") }
        }
    }
}
