package import Linux

/// The desktop's notification of the timers that have ended.
package struct AlarmNotification: Hashable, Sendable {
    /// Plain text.
    package let summary: String
    /// Plain text without characters that markup uses.
    package let body: String
    /// Whether it is shown in spite of Do Not Disturb.
    package let isUrgent: Bool
}

/// A timer unit of the user's service manager, which starts the ringer.
package struct AlarmUnit: Hashable, Sendable {
    /// The name without `.timer`.
    package let name: String
    /// When, as of systemd.time(7).
    package let calendar: String
    /// The journal's directory, as a word that needs no quoting.
    package let journal: String
}

/// What the user's message bus has told.
package enum DesktopEvent: Hashable, Sendable {
    /// The user has acknowledged the alarm, or dismissed the notification.
    case acknowledged
    /// The user wants the timer once more.
    case again
    /// The notification is not shown, with the reason.
    case notShown(String)
    /// The service manager has not taken the unit, or not been reached.
    case notArmed(String)
}

/// The user's message bus: notifications and the service manager. No call waits.
package protocol Desktop: AnyObject {
    /// Shows a notification in place of the one that is shown.
    func show(_ notification: AlarmNotification)
    /// Closes the notification.
    func closeNotification()
    /// Starts the unit.
    func arm(_ unit: AlarmUnit)
    /// Stops the unit with a name.
    func disarm(_ name: String)
    /// Adds the descriptor to wait for.
    func watch(_ polled: inout PollSet)
    /// When to call `handle` though nothing happened.
    var deadline: MonotonicTime? { get }
    /// What has happened since the last call.
    func handle() -> [DesktopEvent]
    /// A call has not been answered.
    var isBusy: Bool { get }
    /// The connection cannot be used any more, and `handle` has told why.
    var isOver: Bool { get }
}
