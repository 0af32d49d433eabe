public import CounterModel

/// What a user wants of the Admin screen.
public enum AdminIntent: Hashable, Sendable {
    /// Go to a row.
    case choose(AdminRow)
    /// Open a field to type into.
    case edit(AdminEdit)
    /// Ask whether the day of the location with this id is to end.
    case askToEndDay(of: String)
    /// Ask whether the location with this id is to be hidden.
    case askToHide(String)
    /// Change something.
    case change(AdminChange)
}

/// A row that can be chosen.
public enum AdminRow: Hashable, Sendable {
    /// A property of the location.
    case setting(LocationSetting.Name)
    /// The device with this id.
    case device(String)
    /// The ended day with this id.
    case day(Position)
}

/// What can be typed on the Admin screen. The strings are ids.
public enum AdminEdit: Hashable, Sendable {
    /// A property of a location.
    case setting(LocationSetting.Name, of: String)
    /// The name of a location that is to be added.
    case newLocation
    /// A correction by hand, with its reason.
    case correction(at: String)
    /// The name of a device.
    case deviceName(String)
    /// The location that a device counts into.
    case devicePlace(String)
}

/// A change that the Admin screen asks for: one transaction. The strings are ids, unless they say otherwise.
public enum AdminChange: Hashable, Sendable {
    /// A property of a location.
    case setting(LocationSetting, of: String)
    /// A location with this name, added or brought back.
    case add(name: String)
    /// Entries by hand.
    case correction(Correction, at: String)
    /// Another name for a device.
    case rename(device: String, to: String)
    /// Another location for a device; nil for the one that counter is run for.
    case assign(device: String, to: String?)
    /// Whether a device counts.
    case setActive(Bool, device: String)
    /// The day of a location ends.
    case endDay(of: String)
    /// The last change of a location's count is taken back.
    case undo(at: String)
}
