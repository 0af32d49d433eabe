import KeyProtocol
import Linux

/// The settings of the timing table, under its names.
package struct GestureTiming: Hashable, Sendable {
    /// The minimum time between two counts of the same key. 0 to 10 s.
    package var debounce = Duration.milliseconds(150)
    /// The maximum time between the two presses of a chord. 0 to less than `holdDelay`.
    package var chord = Duration.milliseconds(100)
    /// The time from a press to its first repeat. 1 ms to 1 min.
    package var holdDelay = Duration.milliseconds(400)
    /// The time between repeats. 10 ms to 1 min.
    package var repeatInterval = Duration.milliseconds(150)
    /// The maximum time from a release to a press that is contact bounce. Limited to `debounce`. 0 to 1 s.
    package var bounce = Duration.milliseconds(25)
    /// The maximum duration of a hold. More than `holdDelay`, at most 1 h.
    package var holdLimit = Duration.seconds(30)

    package init() {}

    package struct Invalid: Error, Hashable, CustomStringConvertible {
        /// The setting's name on the command line, without dashes.
        package let setting: String
        package let requirement: String

        package var description: String { "\(setting) must be \(requirement)" }
    }

    /// Throws for the first setting that is out of its range.
    package func validate() throws(Invalid) {
        try require("debounce", "0 to 10 s", .zero ... .seconds(10) ~= debounce)
        try require("bounce", "0 to 1 s", .zero ... .seconds(1) ~= bounce)
        try require("hold-delay", "1 ms to 1 min", .milliseconds(1) ... .seconds(60) ~= holdDelay)
        try require("repeat", "10 ms to 1 min", .milliseconds(10) ... .seconds(60) ~= repeatInterval)
        try require("hold-limit", "at most 1 h", .zero ... .seconds(3600) ~= holdLimit)
        try require("chord", "0 or more, and less than hold-delay", chord >= .zero && chord < holdDelay)
        try require("hold-limit", "more than hold-delay", holdLimit > holdDelay)
    }

    private func require(_ setting: String, _ requirement: String, _ isMet: Bool) throws(Invalid) {
        if !isMet { throw Invalid(setting: setting, requirement: requirement) }
    }
}

// MARK: - Presses and releases

extension GestureRecognizer {
    /// A key went down on a node. The checks come in the order chord, bounce, debounce.
    mutating func press(
        _ key: CountedKey, on node: UInt64, at now: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        guard notePress(key, on: node) else { return }
        if key == .reset {
            if !resume(key, at: now, into: &events) { pressReset(at: now, into: &events) }
        } else if updateChordLock(at: now) {
            confirmed[key].phase = .down(silentPress(at: now))
        } else if admitsChords, let first = confirmed[key.other].chordPress,
            now - first.downAt <= timing.chord
        {
            strikeChord(key, after: first, at: now, into: &events)
        } else if !resume(key, at: now, into: &events) {
            count(key, at: now, into: &events)
        }
        confirmed.muteOverlap()
    }

    /// A key went up on a node. The key is released once it is up on all nodes.
    mutating func release(_ key: CountedKey, on node: UInt64, at now: MonotonicTime) {
        switch confirmed[key].phase {
        case .down(let press):
            guard noteRelease(key, node) else { return }
            confirmed[key].phase = .released(press)
            confirmed[key].upAt = now
            confirmed[key].wasReleasedInFrame = true
        case .expired: confirmed[key].phase = .up
        case .up, .released: break
        }
    }

    /// False where the key was down on any node already.
    private mutating func notePress(_ key: CountedKey, on node: UInt64) -> Bool {
        defer { confirmed[key].nodes |= node }
        return confirmed[key].nodes == 0
    }

    /// Whether the key was down on the node, and is now down on none.
    private mutating func noteRelease(_ key: CountedKey, _ node: UInt64) -> Bool {
        let wasDown = confirmed[key].nodes & node != 0
        confirmed[key].nodes &= ~node
        return wasDown && confirmed[key].nodes == 0
    }

    /// Contact bounce: the press continues, and repeats that fell into the gap count (G7). False where it is none.
    private mutating func resume(
        _ key: CountedKey, at now: MonotonicTime, into events: inout [VolumeEvent]
    ) -> Bool {
        guard case .released(let press) = confirmed[key].phase else { return false }
        guard now - confirmed[key].upAt < timing.bounce else { return false }
        confirmed[key].phase = .down(press)
        confirm(before: now, into: &events)
        return true
    }

    /// A new press: counted (G1) unless it is debounced (G2).
    private mutating func count(_ key: CountedKey, at now: MonotonicTime, into events: inout [VolumeEvent]) {
        var press = KeyPress(
            downAt: now, nextRepeat: now + timing.holdDelay, limit: now + timing.holdLimit)
        if !isDebounced(key, at: now) {
            press.count = emitCount(of: key, at: now, isRepeat: false, into: &events)
            confirmed[key].lastCount = now
        }
        confirmed[key].phase = .down(press)
    }

    private mutating func pressReset(at now: MonotonicTime, into events: inout [VolumeEvent]) {
        let isDebounced = isDebounced(.reset, at: now)
        confirmed.reset.phase = .down(silentPress(at: now))
        if isDebounced { return }
        confirmed.reset.lastCount = now
        events.append(VolumeEvent(.reset, at: now))
    }

    private func isDebounced(_ key: CountedKey, at now: MonotonicTime) -> Bool {
        guard let last = confirmed[key].lastCount else { return false }
        return now - last < timing.debounce
    }
}

// MARK: - Lost events (G12)

extension GestureRecognizer {
    /// Treats the key as released, without a count. A later press is not a bounce of this one.
    mutating func abandon(_ key: CountedKey, on node: UInt64, at now: MonotonicTime) {
        guard noteRelease(key, node) else { return }
        confirmed[key].phase = .up
        confirmed[key].upAt = now
    }

    /// Treats the key as pressed although its press was not seen: it counts once and never repeats.
    ///
    /// A key that has reached its hold limit, and whose release has not been seen, is no new press.
    mutating func adopt(
        _ key: CountedKey, on node: UInt64, at now: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        if case .expired = confirmed[key].phase { return }
        guard notePress(key, on: node) else { return }
        if key == .reset { return pressReset(at: now, into: &events) }
        if updateChordLock(at: now) { return confirmed[key].phase = .down(silentPress(at: now)) }
        count(key, at: now, into: &events)
        confirmed[key].mute()
        confirmed.muteOverlap()
    }
}
