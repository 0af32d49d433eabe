public import CounterModel

/// A timer that is kept to be started again and again.
public struct TimerPreset: Identifiable, Hashable, Sendable {
    /// The random id.
    public let id: UniqueId
    /// The number by which people name it, from 1; unique among those in sight.
    public internal(set) var number: Int
    /// What a timer of it is like.
    public internal(set) var setup: TimerSetup
    /// When it was first saved.
    public let createdAt: Timestamp
    /// When a timer of it was last started; nil where none was.
    public internal(set) var lastUsedAt: Timestamp?
    /// Whether it was removed. It can be restored.
    public internal(set) var isHiddenInList: Bool
}
