/// A timer that is kept to be started again and again.
package struct TimerPreset: Identifiable, Hashable, Sendable {
    /// The random id.
    package let id: UniqueId
    /// The number by which people name it, from 1; unique among those in sight.
    package internal(set) var number: Int
    /// What a timer of it is like.
    package internal(set) var setup: TimerSetup
    /// When it was first saved.
    package let createdAt: Timestamp
    /// When a timer of it was last started; nil where none was.
    package internal(set) var lastUsedAt: Timestamp?
    /// Whether it was removed. It can be restored.
    package internal(set) var isHiddenInList: Bool
}
