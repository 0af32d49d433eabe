public import System

/// Names one count, so that it can be taken back. Unique in the life of the program.
public struct CountID: Hashable, Sendable {
    /// Any number.
    public let rawValue: UInt64
    /// The name with that number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Something that a person did with the keys of a source.
public enum VolumeEventType: Hashable, Sendable {
    /// Counts up by one.
    case volumeUp(CountID, isRepeat: Bool)
    /// Counts down by one.
    case volumeDown(CountID, isRepeat: Bool)
    /// Both keys together: reset. What the two presses had counted has been taken back just before.
    case simultaneousBoth
    /// The configured reset key.
    case reset
    /// These counts were none after all; they are to appear in no total.
    case takenBack([CountID])
    /// A key was down for so long that its release must have been lost; it is taken as up.
    case holdLimitReached(CountedKey)
}

/// A gesture and when it happened.
public struct VolumeEvent: Hashable, Sendable {
    /// What was done.
    public let type: VolumeEventType
    /// When the key went down, or when the repeat was due; never when it was read.
    public let timestamp: MonotonicTime

    /// An event of its time.
    public init(_ type: VolumeEventType, at timestamp: MonotonicTime) {
        self.type = type
        self.timestamp = timestamp
    }
}
