import KeyProtocol
import Linux

extension GestureRecognizer {
    /// Both keys together (G4): the counts of both presses are taken back, and neither key counts until both are up.
    mutating func strikeChord(
        _ key: CountedKey, after first: KeyPress, at now: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        // A chord precedes every repeat, so repeats emitted ahead belong to the first press and are void too.
        var void = forgetEmittedCounts()
        if let count = first.count { void.insert(count, at: 0) }
        takeBack(void, at: now, into: &events)
        events.append(VolumeEvent(.simultaneousBoth, at: now))
        heldChord?.strike(at: now)
        confirmed.isChordHeld = true
        confirmed.wereBothUpAtFrameEnd = false
        confirmed[key].phase = .down(silentPress(at: now))
        confirmed[key.other].phase = confirmed[key.other].isDown ? .down(silentPress(at: first.downAt)) : .up
    }

    /// Whether a chord was struck and the keys have not both been up for `bounce` since.
    mutating func updateChordLock(at now: MonotonicTime) -> Bool {
        let bothUpAt = max(confirmed.up.upAt, confirmed.down.upAt)
        if confirmed.wereBothUpAtFrameEnd, now - bothUpAt >= timing.bounce {
            confirmed.isChordHeld = false
        }
        return confirmed.isChordHeld
    }

    func silentPress(at now: MonotonicTime) -> KeyPress {
        KeyPress(downAt: now, nextRepeat: KeyPress.never, limit: now + timing.holdLimit)
    }
}

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

    let duration: Duration
    private var chord: Chord?

    init(duration: Duration) { self.duration = duration }

    var deadline: MonotonicTime? {
        guard let chord, !chord.wasHeld, chord.brokenAt == nil else { return nil }
        return chord.due
    }

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

    mutating func advance(to now: MonotonicTime, into events: inout [VolumeEvent]) {
        guard let deadline, deadline <= now else { return }
        chord?.wasHeld = true
        events.append(VolumeEvent(.bothHeld, at: deadline))
    }

    /// The keys are no longer reported: nothing is chosen.
    mutating func cancel() { chord = nil }
}
