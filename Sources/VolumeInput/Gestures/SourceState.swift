import System

/// The keys of one source at a moment, and what time alone will make of them.
struct SourceState: Sendable {
    /// Something that happens if no event comes before it.
    struct Due: Hashable, Sendable {
        let key: CountedKey
        let moment: MonotonicTime
        /// The hold limit; otherwise a repeat.
        let isLimit: Bool
    }

    var up = KeyState()
    var down = KeyState()
    var reset = KeyState()
    /// A chord was struck: nothing counts until both keys have been up for `bounce` (G4).
    var isChordHeld = false
    var wereBothUpAtFrameEnd = true

    /// What falls due first (G5, G11); `nil` while no key is down.
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

    /// Lives through what `nextDue` has said.
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

    mutating func endFrame() {
        up.wasReleasedInFrame = false
        down.wasReleasedInFrame = false
        wereBothUpAtFrameEnd = !up.isDown && !down.isDown
    }

    /// Neither repeats while both are down, nor after it, until both are up (G6).
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
    /// The key that makes a chord with this one. The reset key makes none.
    var other: CountedKey {
        switch self {
        case .up: .down
        case .down: .up
        case .reset: .reset
        }
    }
}
