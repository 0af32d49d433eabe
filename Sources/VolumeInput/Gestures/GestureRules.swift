import Descriptors

/// `GestureTiming` in microseconds, so that the rules below add and compare plain numbers.
struct Timing: Sendable {
    let debounce, chord, holdDelay, repeatInterval, bounce, holdLimit: Int64

    init(_ timing: GestureTiming) {
        debounce = timing.debounce.microseconds
        chord = timing.chord.microseconds
        holdDelay = timing.holdDelay.microseconds
        repeatInterval = timing.repeatInterval.microseconds
        bounce = min(timing.bounce.microseconds, debounce)
        holdLimit = timing.holdLimit.microseconds
    }
}

// MARK: - Presses and releases

extension GestureRecognizer {
    /// A key went down on a node. It is judged in the order chord, bounce, debounce.
    mutating func press(
        _ key: CountedKey, on node: UInt64, at now: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        let wasDown = self[key].nodes != 0
        self[key].nodes |= node
        if wasDown { return }
        if key == .reset { return pressReset(at: now, into: &events) }
        if isChordHeld, !endsChord(at: now) { return self[key].phase = .down(silentPress(of: key, at: now)) }
        isChordHeld = false
        if let first = self[key.other].chordPress, now.microseconds - first.downAt.microseconds <= timing.chord {
            strikeChord(key, after: first, at: now, into: &events)
        } else {
            begin(key, at: now, into: &events)
        }
    }

    /// A key went up on a node; it is up once it is up on all of them.
    mutating func release(
        _ key: CountedKey, on node: UInt64, at now: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        if self[key].nodes & node == 0 { return releaseLate(key, at: now, into: &events) }
        self[key].nodes &= ~node
        if self[key].nodes != 0 { return }
        takeBackRepeats(of: key, from: now, into: &events)
        guard case .down(let press) = self[key].phase else { return }
        self[key].phase = .released(press)
        self[key].upAt = now
        self[key].wasReleasedInFrame = true
    }

    /// The press is contact bounce and the old one goes on (G7), or it is a new one.
    private mutating func begin(_ key: CountedKey, at now: MonotonicTime, into events: inout [VolumeEvent]) {
        if case .released(let press) = self[key].phase, elapsed(from: self[key].upAt, to: now) < timing.bounce {
            self[key].phase = .down(press)
        } else {
            count(key, at: now, into: &events)
        }
        guard self[key.other].isDown else { return }
        mute(key, at: now, into: &events)
        mute(key.other, at: now, into: &events)
    }

    /// A new press: counted (G1) unless it is debounced (G2).
    private mutating func count(_ key: CountedKey, at now: MonotonicTime, into events: inout [VolumeEvent]) {
        var press = KeyPress(downAt: now, lastCountBefore: self[key].lastCount)
        if self[key].lastCount.map({ elapsed(from: $0, to: now) >= timing.debounce }) ?? true {
            press.count = emitCount(of: key, at: now, isRepeat: false, into: &events)
        }
        self[key].phase = .down(press)
    }

    private mutating func pressReset(at now: MonotonicTime, into events: inout [VolumeEvent]) {
        let isDebounced = resetKey.lastCount.map { elapsed(from: $0, to: now) < timing.debounce } ?? false
        resetKey.phase = .down(silentPress(of: .reset, at: now))
        if isDebounced { return }
        resetKey.lastCount = now
        events.append(VolumeEvent(.reset, at: now))
    }

    /// A release whose press was taken as up at the hold limit already, and which was stamped no later.
    private mutating func releaseLate(
        _ key: CountedKey, at now: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        guard case .expired = self[key].phase, now <= self[key].upAt else { return }
        takeBackRepeats(of: key, from: now, into: &events)
        guard case .expired(let press) = self[key].phase else { return }
        self[key].phase = .released(press)
        self[key].upAt = now
    }
}

// MARK: - Chords

extension GestureRecognizer {
    /// Both keys together (G4): what the two presses counted is void, and nothing counts until both are up.
    private mutating func strikeChord(
        _ key: CountedKey, after first: KeyPress, at now: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        let void = (first.count.map { [$0] } ?? []) + first.repeats
        if !void.isEmpty { events.append(VolumeEvent(.takenBack(void), at: now)) }
        events.append(VolumeEvent(.simultaneousBoth, at: now))
        isChordHeld = true
        self[key].phase = .down(silentPress(of: key, at: now))
        if self[key.other].isDown {
            self[key.other].phase = .down(silentPress(of: key.other, at: first.downAt))
        } else {
            self[key.other].phase = .up
        }
    }

    private func endsChord(at now: MonotonicTime) -> Bool {
        wereBothUpAtFrameEnd && elapsed(from: max(up.upAt, down.upAt), to: now) >= timing.bounce
    }

    private func silentPress(of key: CountedKey, at now: MonotonicTime) -> KeyPress {
        KeyPress(downAt: now, canRepeat: false, lastCountBefore: self[key].lastCount)
    }
}

// MARK: - Holds

extension GestureRecognizer {
    /// Counts the repeats that are due before `end`, and ends the hold where its limit lies before it.
    mutating func runOut(_ key: CountedKey, before end: MonotonicTime, into events: inout [VolumeEvent]) {
        while case .down(var press) = self[key].phase, let due = dueTime(of: self[key]), due < end {
            if due == limit(of: press) {
                expire(key, press, at: due, into: &events)
            } else {
                press.repeats.append(emitCount(of: key, at: due, isRepeat: true, into: &events))
                self[key].phase = .down(press)
            }
        }
    }

    /// The next repeat or the hold limit, whichever comes first (G5, G11).
    func dueTime(of state: KeyState) -> MonotonicTime? {
        guard case .down(let press) = state.phase else { return nil }
        return press.canRepeat ? min(nextRepeat(of: press), limit(of: press)) : limit(of: press)
    }

    /// The key keeps no hold any more (G6, G12); repeats that were counted too early are taken back.
    mutating func mute(_ key: CountedKey, at now: MonotonicTime, into events: inout [VolumeEvent]) {
        takeBackRepeats(of: key, from: now, into: &events)
        guard case .down(var press) = self[key].phase else { return }
        press.canRepeat = false
        self[key].phase = .down(press)
    }

    /// Takes the key as released without a count, and as nothing that bounce could continue (G12).
    mutating func abandon(
        _ key: CountedKey, on node: UInt64, at now: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        self[key].nodes &= ~node
        if self[key].nodes != 0 { return }
        takeBackRepeats(of: key, from: now, into: &events)
        self[key].phase = .up
        self[key].upAt = now
    }

    /// A press that began unseen: it counts once and never repeats, for nobody knows since when it lasts (G12).
    mutating func adopt(
        _ key: CountedKey, on node: UInt64, at now: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        let wasDown = self[key].nodes != 0
        self[key].nodes |= node
        if wasDown { return }
        if key == .reset { return pressReset(at: now, into: &events) }
        if isChordHeld, !endsChord(at: now) { return self[key].phase = .down(silentPress(of: key, at: now)) }
        isChordHeld = false
        count(key, at: now, into: &events)
        mute(key, at: now, into: &events)
        mute(key.other, at: now, into: &events)
    }

    private mutating func expire(
        _ key: CountedKey, _ press: KeyPress, at limit: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        self[key].phase = .expired(press)
        self[key].nodes = 0
        self[key].upAt = limit
        wereBothUpAtFrameEnd = !up.isDown && !down.isDown
        events.append(VolumeEvent(.holdLimitReached(key), at: limit))
    }

    /// Takes back what was counted at or after `moment`, and with it what it means for `debounce` (G13).
    private mutating func takeBackRepeats(
        of key: CountedKey, from moment: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        guard var press = self[key].press else { return }
        let early = press.repeats.indices.first { repeatTime($0, of: press) >= moment }
        guard let early else { return }
        events.append(VolumeEvent(.takenBack(Array(press.repeats[early...])), at: moment))
        press.repeats.removeSubrange(early...)
        self[key].press = press
        let own = press.count == nil ? press.lastCountBefore : press.downAt
        self[key].lastCount = early == 0 ? own : repeatTime(early - 1, of: press)
    }
}

// MARK: - Numbers

extension GestureRecognizer {
    private mutating func emitCount(
        of key: CountedKey, at moment: MonotonicTime, isRepeat: Bool, into events: inout [VolumeEvent]
    ) -> CountID {
        let id = CountID(rawValue: nextCount)
        nextCount += 1
        self[key].lastCount = moment
        let type: VolumeEventType =
            key == .up ? .volumeUp(id, isRepeat: isRepeat) : .volumeDown(id, isRepeat: isRepeat)
        events.append(VolumeEvent(type, at: moment))
        return id
    }

    private func repeatTime(_ number: Int, of press: KeyPress) -> MonotonicTime {
        let wait = timing.holdDelay + Int64(number) * timing.repeatInterval
        return MonotonicTime(microseconds: press.downAt.microseconds + wait)
    }

    private func nextRepeat(of press: KeyPress) -> MonotonicTime { repeatTime(press.repeats.count, of: press) }

    private func limit(of press: KeyPress) -> MonotonicTime {
        MonotonicTime(microseconds: press.downAt.microseconds + timing.holdLimit)
    }

    private func elapsed(from start: MonotonicTime, to end: MonotonicTime) -> Int64 {
        end.microseconds - start.microseconds
    }

    subscript(key: CountedKey) -> KeyState {
        get {
            switch key {
            case .up: up
            case .down: down
            case .reset: resetKey
            }
        }
        _modify {
            switch key {
            case .up: yield &up
            case .down: yield &down
            case .reset: yield &resetKey
            }
        }
    }
}

extension CountedKey {
    /// The key that makes a chord with this one. The reset key makes none.
    var other: CountedKey {
        switch self {
        case .up: .down
        case .down: .up
        case .reset: .reset
        }
    }
}

extension KeyState {
    /// The press that the phase speaks of.
    var press: KeyPress? {
        get {
            switch phase {
            case .down(let press), .released(let press), .expired(let press): press
            case .up: nil
            }
        }
        set {
            guard let newValue else { return phase = .up }
            switch phase {
            case .down: phase = .down(newValue)
            case .released: phase = .released(newValue)
            case .expired: phase = .expired(newValue)
            case .up: break
            }
        }
    }
}
