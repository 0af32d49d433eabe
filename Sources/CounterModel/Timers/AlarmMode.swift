/// How the end of a timer is announced.
package enum AlarmMode: String, CaseIterable, Sendable {
    /// Everything: tone, speech, flash, desktop notification.
    case sound
    /// The screen flashes and the desktop shows a notification; nothing sounds or speaks.
    case vibration
    /// A line on the screen only.
    case silent

    /// The mode with these properties. `(true, false)` is read as `sound`.
    package init(isSoundOn: Bool, isVibrationOn: Bool) {
        self = isSoundOn ? .sound : isVibrationOn ? .vibration : .silent
    }

    /// Whether a tone, the bell and speech may be heard.
    package var isSoundOn: Bool { self == .sound }

    /// Whether the screen flashes and the desktop shows a notification.
    package var isVibrationOn: Bool { self != .silent }
}
