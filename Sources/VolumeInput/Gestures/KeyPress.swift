import Descriptors

/// One press of a key, from its going down to where nothing can change its counts any more.
struct KeyPress: Sendable {
    let downAt: MonotonicTime
    /// The count of the press itself; none where it was debounced.
    var count: CountID?
    /// The counts of its repeats, in order. The next is due by their number alone, so taking back rewinds.
    var repeats: [CountID] = []
    /// False once the other key overlapped, or where the press began without being seen.
    var canRepeat = true
    /// What `KeyState.lastCount` was before this press.
    let lastCountBefore: MonotonicTime?
}

/// What is known of one key of a source.
struct KeyState: Sendable {
    /// The states of a key, and what leads from one to the next:
    ///
    ///     up ──down──▶ down ──release──▶ released ──down within bounce──▶ down (the same press)
    ///                   │ └─node gone──▶ up  └──────down later──────────▶ down (a new press)
    ///                   └─hold limit──▶ expired ──late release──▶ released
    ///                                      └──────down──────────▶ down (a new press)
    enum Phase: Sendable {
        case up
        case down(KeyPress)
        case released(KeyPress)
        case expired(KeyPress)
    }

    var phase = Phase.up
    /// The nodes on which it is down, one bit each.
    var nodes: UInt64 = 0
    /// When it last went up.
    var upAt = MonotonicTime(microseconds: .min / 2)
    /// It went up in the frame being read: a single-slot keyboard reports the second key of a chord so.
    var wasReleasedInFrame = false
    /// When this key last counted, taken-back chords included: what `debounce` is measured from.
    var lastCount: MonotonicTime?

    var isDown: Bool {
        switch phase {
        case .down: true
        case .up, .released, .expired: false
        }
    }

    /// The press that a second key could make a chord with.
    var chordPress: KeyPress? {
        switch phase {
        case .down(let press): press
        case .released(let press): wasReleasedInFrame ? press : nil
        case .up, .expired: nil
        }
    }
}
