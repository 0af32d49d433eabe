import System

/// One press of a key, contact bounce included.
struct KeyPress: Sendable {
    let downAt: MonotonicTime
    /// The count of the press itself; none where it was debounced.
    var count: CountID?
    /// When it counts again; never once the other key overlapped, or where the press began without being seen.
    var nextRepeat: MonotonicTime
    /// When it is taken as up, whatever the keyboard says (G11).
    let limit: MonotonicTime

    static let never = MonotonicTime(microseconds: .max)
}

/// What is known of one key of a source.
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
        /// Taken as up at the hold limit; the keyboard has not said so.
        case expired
    }

    var phase = Phase.up
    /// The nodes on which it is down, one bit each.
    var nodes: UInt64 = 0
    /// When it last went up.
    var upAt = MonotonicTime(microseconds: .min / 2)
    /// It went up in the frame being read: a single-slot keyboard reports the second key of a chord so.
    var wasReleasedInFrame = false
    /// When this key last counted, voided chords included: what `debounce` is measured from.
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

    /// The key keeps no hold any more (G6, G12).
    mutating func mute() {
        guard case .down(var press) = phase else { return }
        press.nextRepeat = KeyPress.never
        phase = .down(press)
    }
}
