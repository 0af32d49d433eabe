import Linux

@testable import KeyProtocol
@testable import VolumeInput

/// The timing table (G1 to G13) a second time, slowly and with the whole script known: which counts are left.
///
/// It has no deadlines and no clock, and takes nothing back. A press is an interval of time, and its repeats are
/// computed from that when they are asked for.
struct GestureReference {
    /// A press, contact bounce included.
    private final class Press {
        enum End { case released(frame: Int), gone, limit }
        let start: Int64
        var isCounted = false
        var isVoid = false
        var end: (at: Int64, how: End)?
        /// From then on it does not repeat: the other key overlapped, or the press began unseen.
        var mutedAt = Int64.max

        init(start: Int64) { self.start = start }
    }

    private struct Key {
        var presses: [Press] = []
        var nodes: Set<NodeID> = []
        /// Up only because of the hold limit; its release has not come.
        var isStuck = false
        var last: Press? { presses.last }
        var isDown: Bool { presses.last.map { $0.end == nil } ?? false }
    }

    private let timing: GestureTiming
    private let bounce: Int64
    private var keys: [CountedKey: Key] = [.up: Key(), .down: Key(), .reset: Key()]
    private var resets: [Outcome] = []
    private var isLocked = false
    private var bothUpSince: Int64?
    private var now: Int64 = .min
    private var frame = 0
    private let finish: Int64

    init(_ script: GestureScript, timing: GestureTiming = GestureTiming()) {
        self.timing = timing
        bounce = min(timing.bounce, timing.debounce).microseconds
        finish = script.end.microseconds
        for step in script.steps where step.action != .ahead {
            now = max(now, step.stamp.microseconds)
            frame += 1
            endHolds()
            take(step.action)
            if keys[.up]?.isDown == false, keys[.down]?.isDown == false { bothUpSince = bothUpSince ?? now }
        }
    }

    /// The outcomes in the end, in the order of time.
    var outcomes: [Outcome] { (resets + counts(of: .up, .up) + counts(of: .down, .down)).sorted() }

    private func counts(of key: CountedKey, _ kind: Outcome.Kind) -> [Outcome] {
        let presses = keys[key]?.presses.filter { !$0.isVoid } ?? []
        return presses.flatMap { counts(of: $0, until: max(finish, now) + 1) }
            .map { Outcome(time: MonotonicTime(microseconds: $0), kind: kind) }
    }

    /// When a press counted, void or not: at its start, and at its repeats before `limit`.
    private func counts(of press: Press, until limit: Int64) -> [Int64] {
        let last = min(
            limit, press.end?.at ?? .max, press.mutedAt, press.start + timing.holdLimit.microseconds)
        let repeats = stride(
            from: press.start + timing.holdDelay.microseconds, to: max(last, press.start),
            by: Int(timing.repeatInterval.microseconds))
        return (press.isCounted ? [press.start] : []) + repeats
    }

    // MARK: - Events

    private mutating func take(_ action: GestureScript.Action) {
        switch action {
        case .frame(let node, let changes):
            for change in changes {
                if change.isDown { press(change.key, node) } else { release(change.key, node) }
            }
        case .drop(let node, let down): catchUp(node, down: down)
        case .gone(let node): catchUp(node, down: [])
        case .ahead: break
        }
    }

    /// G11: keys that have reached their limit are up since then.
    private mutating func endHolds() {
        let holds = keys.compactMap { key, state in
            state.last.flatMap {
                $0.end == nil ? (key, $0, limit: $0.start + timing.holdLimit.microseconds) : nil
            }
        }
        for (key, press, limit) in holds.sorted(by: { $0.limit < $1.limit }) where limit <= now {
            end(key, press, at: limit, .limit)
        }
    }

    private mutating func end(_ key: CountedKey, _ press: Press, at moment: Int64, _ how: Press.End) {
        press.end = (moment, how)
        keys[key]?.nodes = []
        guard case .limit = how else { return }
        keys[key]?.isStuck = true
        guard keys[.up]?.isDown == false, keys[.down]?.isDown == false else { return }
        bothUpSince = bothUpSince ?? moment
    }

    private mutating func release(_ key: CountedKey, _ node: NodeID) {
        keys[key]?.isStuck = false
        guard keys[key]?.nodes.remove(node) != nil, keys[key]?.nodes.isEmpty == true else { return }
        guard let press = keys[key]?.last, press.end == nil else { return }
        end(key, press, at: now, .released(frame: frame))
    }

    private mutating func press(_ key: CountedKey, _ node: NodeID) {
        guard notePress(key, node) else { return }
        if key == .reset { return pressReset() }
        if updateChordLock(key) { return }
        if let first = chordPartner(of: key) {
            first.isVoid = true
            first.mutedAt = first.start
            resets.append(Outcome(time: MonotonicTime(microseconds: now), kind: .both))
            isLocked = true
            add(silent: true, key)
        } else if let bounced = bouncedPress(of: key) {
            bounced.end = nil
            endHolds()
        } else {
            add(silent: false, key)
        }
        muteOverlap()
    }

    /// G4: silent until both keys have been up for `bounce`.
    private mutating func updateChordLock(_ key: CountedKey) -> Bool {
        defer { bothUpSince = nil }
        if isLocked, let since = bothUpSince, now - since >= bounce { isLocked = false }
        if isLocked { add(silent: true, key) }
        return isLocked
    }

    private mutating func notePress(_ key: CountedKey, _ node: NodeID) -> Bool {
        let wasDown = keys[key]?.nodes.isEmpty == false
        keys[key]?.nodes.insert(node)
        keys[key]?.isStuck = false
        return !wasDown
    }

    private func chordPartner(of key: CountedKey) -> Press? {
        guard let press = keys[key == .up ? .down : .up]?.last else { return nil }
        guard now - press.start <= timing.chord.microseconds else { return nil }
        switch press.end?.how {
        case nil: return press
        case .released(let frame): return frame == self.frame ? press : nil
        case .gone, .limit: return nil
        }
    }

    private func bouncedPress(of key: CountedKey) -> Press? {
        guard let press = keys[key]?.last, let end = press.end, case .released = end.how else { return nil }
        return now - end.at < bounce ? press : nil
    }

    @discardableResult
    private mutating func add(silent: Bool, _ key: CountedKey) -> Press {
        let press = Press(start: now)
        let last = keys[key]?.presses.flatMap { counts(of: $0, until: now) }.max()
        press.isCounted = !silent && (last.map { now - $0 >= timing.debounce.microseconds } ?? true)
        if silent { press.mutedAt = now }
        keys[key]?.presses.append(press)
        return press
    }

    /// G6: from where both are down, neither repeats.
    private func muteOverlap() {
        guard let up = keys[.up], let down = keys[.down], up.isDown, down.isDown else { return }
        for press in [up.last, down.last].compactMap(\.self) { press.mutedAt = min(press.mutedAt, now) }
    }

    private mutating func pressReset() {
        if let bounced = bouncedPress(of: .reset) {
            bounced.end = nil
            return endHolds()
        }
        let press = add(silent: false, .reset)
        press.mutedAt = now
        if press.isCounted { resets.append(Outcome(time: MonotonicTime(microseconds: now), kind: .reset)) }
    }

    // MARK: - SYN_DROPPED and unplugging (G12)

    private mutating func catchUp(_ node: NodeID, down: CountedKeys) {
        for key in CountedKey.allCases {
            switch (keys[key]?.nodes.contains(node) ?? false, down.contains(key)) {
            case (false, false): break
            case (true, true): keys[key]?.last?.mutedAt = min(keys[key]?.last?.mutedAt ?? now, now)
            case (true, false): leave(key, node)
            case (false, true): find(key, node)
            }
        }
    }

    private mutating func leave(_ key: CountedKey, _ node: NodeID) {
        keys[key]?.nodes.remove(node)
        guard keys[key]?.nodes.isEmpty == true, let press = keys[key]?.last, press.end == nil else { return }
        end(key, press, at: now, .gone)
    }

    /// Newly down: counts once. It does not repeat, because it is unknown since when it is down.
    private mutating func find(_ key: CountedKey, _ node: NodeID) {
        if keys[key]?.isStuck == true { return }
        guard notePress(key, node) else { return }
        if key != .reset, updateChordLock(key) { return }
        let press = add(silent: false, key)
        press.mutedAt = now
        if key == .reset, press.isCounted {
            resets.append(Outcome(time: MonotonicTime(microseconds: now), kind: .reset))
        }
        muteOverlap()
    }
}
