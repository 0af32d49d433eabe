package import CounterModel
package import Linux

/// An intent of the Admin screen.
package enum AdminIntent: Hashable, Sendable {
    case choose(AdminRow)
    /// Open a text field.
    case edit(AdminEdit)
    /// Ask for confirmation to end the day of the location with this id.
    case askToEndDay(of: Identifier)
    /// Ask for confirmation to end the overdue day of the location with this id.
    case askToEndOverdueDay(of: Identifier)
    /// Ask for confirmation to hide the location with this id.
    case askToHide(Identifier)
    /// Ask for confirmation to forget the device with this id.
    case askToForget(Identifier)
    case change(AdminChange)
}

/// A row that can be selected.
package enum AdminRow: Hashable, Sendable {
    case setting(LocationSetting.Name)
    case device(Identifier)
    /// The ended day with this id.
    case day(Position)
}

/// A text that can be typed on the Admin screen.
package enum AdminEdit: Hashable, Sendable {
    case setting(LocationSetting.Name, of: Identifier)
    /// The name of a new location.
    case newLocation
    /// A correction by hand, with its reason.
    case correction(at: Identifier)
    case deviceName(Identifier)
    /// The location that a device counts into.
    case deviceLocation(Identifier)
}

/// A change of the Admin screen: one transaction.
package enum AdminChange: Hashable, Sendable {
    case setting(LocationSetting, of: Identifier)
    /// A location with this name: add it, or show it again if it is hidden.
    case add(name: String)
    case correction(TypedCorrection, at: Identifier)
    /// A new name for a device.
    case rename(device: Identifier, to: String)
    /// A new location for a device; nil for the one that the program counts into.
    case assign(device: Identifier, to: Identifier?)
    case setActive(Bool, device: Identifier)
    case forget(device: Identifier)
    /// End the day of a location.
    case endDay(of: Identifier)
    /// End the overdue day of a location, at its own end.
    case endOverdueDay(OperationalDay, of: Identifier)
    /// Void the last change of a location's count that was made here.
    case undo(at: Identifier)
}
