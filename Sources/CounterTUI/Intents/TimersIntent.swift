package import CounterModel

/// An intent of the Timers screen, or of the line of an alarm.
package enum TimersIntent: Hashable, Sendable {
    case choose(TimersRow)
    /// Do something with a timer.
    case perform(TimerAction, UniqueId)
    /// Make a timer one minute longer.
    case extend(UniqueId)
    /// Make a preset of a timer.
    case keep(UniqueId)
    case startPreset(UniqueId)
    /// Take a preset off the list.
    case hidePreset(UniqueId)
    /// Bring a preset back that was taken off the list.
    case restorePreset(UniqueId)
    /// Open the first of the fields of a timer or preset.
    case edit(TimerDraft)
    /// Start the timer, or save the preset, that the fields describe.
    case submit(TimerDraft)
    /// Acknowledge all ends.
    case acknowledge
    /// Open the field of a setting.
    case type(Preference)
    /// Change a setting; the text is as it was typed.
    case set(Preference, String)
}

/// A row that can be selected.
package enum TimersRow: Hashable, Sendable {
    case timer(UniqueId)
    case preset(UniqueId)
    /// The result of a timer that has left the list.
    case result(UniqueId)
    case preference(Preference)
}

/// A timer or preset while its fields are filled in, one after the other.
package struct TimerDraft: Hashable, Sendable {
    /// The fields, in their order; only a preset has options.
    enum Field: Hashable, Sendable {
        case durationAndLabel, mode, options, locations
    }

    /// The preset that is edited; nil for a new timer.
    package let presetId: UniqueId?
    /// What was entered so far.
    package internal(set) var setup: TimerSetup
    var field = Field.durationAndLabel

    /// A draft that starts with a setup.
    package init(_ setup: TimerSetup, presetId: UniqueId? = nil) {
        self.setup = setup
        self.presetId = presetId
    }
}
