package import KeyProtocol
package import Linux

/// Identifies one count, so that it can be taken back. Unique in the life of the process.
package struct CountID: Hashable, Sendable {
    package let rawValue: UInt64
}

package enum VolumeEventType: Hashable, Sendable {
    case volumeUp(CountID, isRepeat: Bool)
    case volumeDown(CountID, isRepeat: Bool)
    /// Both keys together: reset. The counts of the two presses have been taken back just before.
    case simultaneousBoth
    case reset
    /// Takes counts back; they appear in no total.
    case takenBack([CountID])
    /// A key was down beyond the hold limit, so its release was probably lost; the key counts as released.
    case holdLimitReached(CountedKey)
    /// Both keys of a chord have been down for the duration that the program asked for. Only where it asked for one.
    case bothHeld
    /// Both keys of a chord are up again. Only where the program asked for `bothHeld`.
    case bothReleased(wereHeld: Bool)
}

package struct VolumeEvent: Hashable, Sendable {
    package let type: VolumeEventType
    /// When the key went down or the repeat was due, not when the event was read.
    package let timestamp: MonotonicTime

    init(_ type: VolumeEventType, at timestamp: MonotonicTime) {
        self.type = type
        self.timestamp = timestamp
    }
}
