import Linux

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

/// The state of one key of an input device.
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
    /// The time of its last release.
    var upAt = MonotonicTime(microseconds: .min / 2)
    /// It was released in the current frame: a keyboard that reports one key at a time releases the first key of a chord
    /// together with the press of the second.
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
