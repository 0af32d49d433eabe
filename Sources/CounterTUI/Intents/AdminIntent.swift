public import CounterModel

/// An intent of the Admin screen.
public enum AdminIntent: Hashable, Sendable {
    /// Select a row.
    case choose(AdminRow)
    /// Open a text field.
    case edit(AdminEdit)
    /// Ask for confirmation to end the day of the location with this id.
    case askToEndDay(of: String)
    /// Ask for confirmation to end the overdue day of the location with this id.
    case askToEndOverdueDay(of: String)
    /// Ask for confirmation to hide the location with this id.
    case askToHide(String)
    /// Ask for confirmation to forget the device with this id.
    case askToForget(String)
    /// Make a change.
    case change(AdminChange)
}

/// A row that can be selected.
public enum AdminRow: Hashable, Sendable {
    /// A property of the location.
    case setting(LocationSetting.Name)
    /// The device with this id.
    case device(String)
    /// The ended day with this id.
    case day(Position)
}

/// A text that can be typed on the Admin screen. The strings are ids.
public enum AdminEdit: Hashable, Sendable {
    /// A property of a location.
    case setting(LocationSetting.Name, of: String)
    /// The name of a new location.
    case newLocation
    /// A correction by hand, with its reason.
    case correction(at: String)
    /// The name of a device.
    case deviceName(String)
    /// The location that a device counts into.
    case deviceLocation(String)
}

/// A change of the Admin screen: one transaction. The strings are ids, unless stated otherwise.
public enum AdminChange: Hashable, Sendable {
    /// A property of a location.
    case setting(LocationSetting, of: String)
    /// A location with this name: add it, or show it again if it is hidden.
    case add(name: String)
    /// A correction of the count.
    case correction(TypedCorrection, at: String)
    /// A new name for a device.
    case rename(device: String, to: String)
    /// A new location for a device; nil for the one that the program counts into.
    case assign(device: String, to: String?)
    /// Whether a device counts.
    case setActive(Bool, device: String)
    /// Forget a device.
    case forget(device: String)
    /// End the day of a location.
    case endDay(of: String)
    /// End the overdue day of a location, at its own end.
    case endOverdueDay(OperationalDay, of: String)
    /// Void the last change of a location's count that was made here.
    case undo(at: String)
}
