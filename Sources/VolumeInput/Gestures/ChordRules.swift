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
        if confirmed.wereBothUpAtFrameEnd, elapsed(from: bothUpAt, to: now) >= timing.bounce {
            confirmed.isChordHeld = false
        }
        return confirmed.isChordHeld
    }

    /// Follows the keys of the last chord, at the end of a frame.
    mutating func followChord(at now: MonotonicTime, into events: inout [VolumeEvent]) {
        heldChord?.endFrame(
            down: confirmed.chordKeys, at: now, bounce: .microseconds(timing.bounce), into: &events)
    }

    func silentPress(at now: MonotonicTime) -> KeyPress {
        KeyPress(downAt: now, nextRepeat: KeyPress.never, limit: later(now, by: timing.holdLimit))
    }
}
