import KeyProtocol
import Linux

/// Follows the keys of a chord until both are up, for programs in which it matters how long both were held.
///
///     idle ──chord──▶ held ──duration──▶ bothHeld ──both up──▶ bothReleased(wereHeld: true)
///                      └──────both up─────────────────────────▶ bothReleased(wereHeld: false)
///
/// A pure value: times are arguments.
struct HeldChord: Sendable {
    private struct Chord {
        let due: MonotonicTime
        /// The keys that were down after the frame in which it was struck; `nil` during it. A keyboard that reports one key
        /// at a time releases the first one then, so it may be one key alone.
        var keys: CountedKeys?
        var wasHeld = false
        /// Since when a key of it is up; it may bounce back.
        var brokenAt: MonotonicTime?
    }

    /// How long both keys have to be down for `bothHeld`.
    let duration: Duration
    private var chord: Chord?

    init(duration: Duration) { self.duration = duration }

    /// When `advance` is to be called if no event comes; `nil` at rest.
    var deadline: MonotonicTime? {
        guard let chord, !chord.wasHeld, chord.brokenAt == nil else { return nil }
        return chord.due
    }

    /// A chord was struck in the present frame.
    mutating func strike(at now: MonotonicTime) { chord = Chord(due: now + duration) }

    /// A frame has ended; `keys` are down after it.
    mutating func endFrame(
        down keys: CountedKeys, at now: MonotonicTime, bounce: Duration, into events: inout [VolumeEvent]
    ) {
        advance(to: now, into: &events)
        guard let before = chord else { return }
        if keys.isEmpty {
            chord = nil
            events.append(VolumeEvent(.bothReleased(wereHeld: before.wasHeld), at: now))
        } else if !keys.isSuperset(of: before.keys ?? keys) {
            chord?.brokenAt = before.brokenAt ?? now
        } else if let brokenAt = before.brokenAt, now - brokenAt < bounce {
            chord?.brokenAt = nil
        }
        if before.keys == nil { chord?.keys = keys }
    }

    /// Advances the time to `now`.
    mutating func advance(to now: MonotonicTime, into events: inout [VolumeEvent]) {
        guard let deadline, deadline <= now else { return }
        chord?.wasHeld = true
        events.append(VolumeEvent(.bothHeld, at: deadline))
    }

    /// The keys are no longer reported: nothing is chosen.
    mutating func cancel() { chord = nil }
}
