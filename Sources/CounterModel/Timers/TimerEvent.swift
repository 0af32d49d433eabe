/// What happened to a timer or a preset: the content of a `timerEvent` row of the journal.
package enum TimerEvent: Hashable, Sendable {
    /// A timer began. It takes the place of the timer `replacing` in the list, where it is that one, started again.
    case started(UniqueId, TimerSetup, presetId: UniqueId? = nil, replacing: UniqueId? = nil)
    /// It was interrupted.
    case paused(UniqueId)
    /// It went on.
    case resumed(UniqueId)
    /// A user ended it before its time.
    case stopped(UniqueId)
    /// A user has noticed that it ended.
    case acknowledged(UniqueId)
    /// It left the list.
    case removed(UniqueId)
    /// The present part of it became longer, by seconds.
    case extended(UniqueId, seconds: Int)
    /// A program noticed that the wall clock was set. The row's `ClockReference` says by how much.
    case clockSet
    /// A preset is new, or was edited.
    case presetSaved(UniqueId, TimerSetup)
    /// A preset was removed from sight.
    case presetHidden(UniqueId)
    /// A preset is in sight again.
    case presetRestored(UniqueId)

    /// What was asked for, of an event that begins a timer or saves a preset.
    package var setup: TimerSetup? {
        switch self {
        case .started(_, let setup, _, _), .presetSaved(_, let setup): setup
        case .paused, .resumed, .stopped, .acknowledged, .removed, .extended, .clockSet, .presetHidden,
            .presetRestored:
            nil
        }
    }

    /// The timer that it is about; nil for presets and clocks.
    package var timerId: UniqueId? {
        switch self {
        case .started(let id, _, _, _), .paused(let id), .resumed(let id), .stopped(let id),
            .acknowledged(let id), .removed(let id), .extended(let id, _):
            id
        case .clockSet, .presetSaved, .presetHidden, .presetRestored: nil
        }
    }
}
