import KeyProtocol
import Linux

/// The state of an input device's keys at a moment, and what time alone will change.
struct GestureState: Sendable {
    /// Something that happens if no event comes before it.
    struct Due: Hashable, Sendable {
        let key: CountedKey
        let moment: MonotonicTime
        /// True for the hold limit, false for a repeat.
        let isLimit: Bool
    }

    var up = KeyState()
    var down = KeyState()
    var reset = KeyState()
    /// A chord was struck: neither key counts until both have been up for `bounce` (G4).
    var isChordHeld = false
    var wereBothUpAtFrameEnd = true

    /// The next due event (G5, G11); `nil` while no key is down.
    var nextDue: Due? {
        var first: Due?
        for key in CountedKey.allCases {
            guard case .down(let press) = self[key].phase else { continue }
            let isLimit = press.limit <= press.nextRepeat
            let moment = isLimit ? press.limit : press.nextRepeat
            if let earliest = first?.moment, moment > earliest || moment == earliest && !isLimit { continue }
            first = Due(key: key, moment: moment, isLimit: isLimit)
        }
        return first
    }

    /// Applies a due event that `nextDue` has returned.
    mutating func pass(_ due: Due, repeatInterval: Int64) {
        guard case .down(var press) = self[due.key].phase else { return }
        if due.isLimit {
            self[due.key].phase = .expired
            self[due.key].nodes = 0
            self[due.key].upAt = due.moment
            wereBothUpAtFrameEnd = !up.isDown && !down.isDown
        } else {
            press.nextRepeat.microseconds += repeatInterval
            self[due.key].phase = .down(press)
            self[due.key].lastCount = due.moment
        }
    }

    /// Those keys of a chord that are down.
    var chordKeys: CountedKeys {
        CountedKeys([CountedKey.up, .down].filter { self[$0].isDown }.map(CountedKeys.init))
    }

    mutating func endFrame() {
        up.wasReleasedInFrame = false
        down.wasReleasedInFrame = false
        wereBothUpAtFrameEnd = !up.isDown && !down.isDown
    }

    /// After both keys were down together, neither repeats until both are up (G6).
    mutating func muteOverlap() {
        guard up.isDown, down.isDown else { return }
        up.mute()
        down.mute()
    }

    subscript(key: CountedKey) -> KeyState {
        get {
            switch key {
            case .up: up
            case .down: down
            case .reset: reset
            }
        }
        _modify {
            switch key {
            case .up: yield &up
            case .down: yield &down
            case .reset: yield &reset
            }
        }
    }
}

extension CountedKey {
    /// The key that forms a chord with this one; the reset key forms none.
    var other: CountedKey {
        switch self {
        case .up: .down
        case .down: .up
        case .reset: .reset
        }
    }
}
