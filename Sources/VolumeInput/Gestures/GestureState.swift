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
    mutating func pass(_ due: Due, repeatInterval: Duration) {
        guard case .down(var press) = self[due.key].phase else { return }
        if due.isLimit {
            self[due.key].phase = .expired
            self[due.key].nodes = 0
            self[due.key].upAt = due.moment
            wereBothUpAtFrameEnd = !up.isDown && !down.isDown
        } else {
            press.nextRepeat = press.nextRepeat + repeatInterval
            self[due.key].phase = .down(press)
            self[due.key].lastCount = due.moment
        }
    }

    var chordKeys: CountedKeys {
        CountedKeys([CountedKey.up, .down].filter { self[$0].isDown })
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

/// One press of a key, contact bounce included.
struct KeyPress: Sendable {
    let downAt: MonotonicTime
    /// The count of the press itself; `nil` where it was debounced.
    var count: CountID?
    /// When the press counts again; never after the other key was down too, or where the press was not seen.
    var nextRepeat: MonotonicTime
    /// When the key counts as released, whatever the keyboard reports (G11).
    let limit: MonotonicTime

    static let never = MonotonicTime(microseconds: .max)
}

struct KeyState: Sendable {
    /// The states of a key, and what leads from one to the next:
    ///
    ///     up ──down──▶ down ──release──▶ released ──down within bounce──▶ down (the same press)
    ///                   │ └─node gone──▶ up  └──────down later──────────▶ down (a new press)
    ///                   └─hold limit──▶ expired ──release──▶ up
    ///                                      └──────down─────▶ down (a new press)
    enum Phase: Sendable {
        case up
        case down(KeyPress)
        case released(KeyPress)
        /// The hold limit has expired: the key counts as released, but the keyboard has not reported a release.
        case expired
    }

    var phase = Phase.up
    /// The nodes on which the key is down, one bit each.
    var nodes: UInt64 = 0
    var upAt = MonotonicTime(microseconds: .min / 2)
    /// Released in this frame: a keyboard with one key at a time reports a chord's first release with the second press.
    var wasReleasedInFrame = false
    /// When the key last counted, void chords included; `debounce` is measured from then.
    var lastCount: MonotonicTime?

    var isDown: Bool {
        switch phase {
        case .down: true
        case .up, .released, .expired: false
        }
    }

    /// The press with which the other key could form a chord.
    var chordPress: KeyPress? {
        switch phase {
        case .down(let press): press
        case .released(let press): wasReleasedInFrame ? press : nil
        case .up, .expired: nil
        }
    }

    /// Stops all further repeats of the press (G6, G12).
    mutating func mute() {
        guard case .down(var press) = phase else { return }
        press.nextRepeat = KeyPress.never
        phase = .down(press)
    }
}
