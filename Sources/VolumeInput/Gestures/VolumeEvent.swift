package import KeyProtocol
package import Linux

/// Identifies one count, so that it can be taken back. Unique in the life of the process.
package struct CountID: Hashable, Sendable {
    /// Any number.
    package let rawValue: UInt64
    /// The id with that number.
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A gesture on the keys of an input device.
package enum VolumeEventType: Hashable, Sendable {
    /// Counts up by one.
    case volumeUp(CountID, isRepeat: Bool)
    /// Counts down by one.
    case volumeDown(CountID, isRepeat: Bool)
    /// Both keys together: reset. The counts of the two presses have been taken back just before.
    case simultaneousBoth
    /// The configured reset key.
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

/// A gesture with its time.
package struct VolumeEvent: Hashable, Sendable {
    /// The gesture.
    package let type: VolumeEventType
    /// When the key went down or the repeat was due, not when the event was read.
    package let timestamp: MonotonicTime

    /// Creates an event.
    package init(_ type: VolumeEventType, at timestamp: MonotonicTime) {
        self.type = type
        self.timestamp = timestamp
    }
}
