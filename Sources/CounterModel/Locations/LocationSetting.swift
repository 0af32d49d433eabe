/// A change of one property of a location. It is a row of the journal and applies from its time on.
package enum LocationSetting: Hashable, Sendable {
    /// The capacity, 1 or more; nil makes the location a tally.
    case capacity(Int?)
    /// 1 to 64 characters.
    case name(String)
    /// An IANA identifier. The caller checks that the zone exists, because this module has no zone database.
    case timezone(String)
    /// The local hour at which the operational day starts, 0 to 23.
    case dayStart(Int)
    /// Whether an entry by hand may exceed the capacity.
    case admitsOverFull(Bool)
    /// Whether lists leave the location out.
    case isHidden(Bool)
    /// The hours in which silence is judged; nil where they are unknown.
    case openingHours(OpeningHours?)
    /// Whether a day that nobody ended ends by itself when the next one begins.
    case endsDaysAutomatically(Bool)
    /// The group whose locations are reported together, 1 to 64 characters; nil for none.
    case group(String?)
    /// The key that counts into it on the screens, see `LocationKey`; nil for none.
    case key(LocationKey?)
    /// The count to reach, 1 or more; nil for none.
    case target(Int?)

    /// Which property.
    package enum Name: String, CaseIterable, Sendable {
        /// The name of each property in journals and on the command line.
        case capacity, name, timezone, dayStart, admitsOverFull, isHidden, openingHours,
            endsDaysAutomatically, group, key, target
    }

    /// Which property it sets.
    package var property: Name {
        switch self {
        case .capacity: .capacity
        case .name: .name
        case .timezone: .timezone
        case .dayStart: .dayStart
        case .admitsOverFull: .admitsOverFull
        case .isHidden: .isHidden
        case .openingHours: .openingHours
        case .endsDaysAutomatically: .endsDaysAutomatically
        case .group: .group
        case .key: .key
        case .target: .target
        }
    }

    /// The value it sets the property to; nil for none.
    package var text: String? {
        switch self {
        case .capacity(let capacity): capacity.map(String.init)
        case .name(let text), .timezone(let text): text
        case .dayStart(let hour): String(hour)
        case .admitsOverFull(let flag), .isHidden(let flag), .endsDaysAutomatically(let flag): String(flag)
        case .openingHours(let hours): hours?.description
        case .group(let name): name
        case .key(let key): key?.description
        case .target(let target): target.map(String.init)
        }
    }

    /// Reads a setting as `text` writes it.
    ///
    /// - returns: nil where the text is not a value of the property.
    package init?(_ property: Name, text: String?) {
        let setting: LocationSetting?
        switch property {
        case .capacity where text == nil: setting = .capacity(nil)
        case .capacity: setting = text.flatMap { Int($0) }.map(LocationSetting.capacity)
        case .name: setting = text.map(LocationSetting.name)
        case .timezone: setting = text.map(LocationSetting.timezone)
        case .dayStart: setting = text.flatMap { Int($0) }.map(LocationSetting.dayStart)
        case .admitsOverFull: setting = text.flatMap { Bool($0) }.map(LocationSetting.admitsOverFull)
        case .isHidden: setting = text.flatMap { Bool($0) }.map(LocationSetting.isHidden)
        case .openingHours where text == nil: setting = .openingHours(nil)
        case .openingHours:
            setting = text.flatMap(OpeningHours.init).map(LocationSetting.openingHours)
        case .endsDaysAutomatically:
            setting = text.flatMap { Bool($0) }.map(LocationSetting.endsDaysAutomatically)
        case .group: setting = .group(text)
        case .key where text == nil: setting = .key(nil)
        case .key: setting = text.flatMap(LocationKey.init).map(LocationSetting.key)
        case .target where text == nil: setting = .target(nil)
        case .target: setting = text.flatMap { Int($0) }.map(LocationSetting.target)
        }
        guard let setting, setting.isValid else { return nil }
        self = setting
    }

    /// Whether the value is within its range.
    package var isValid: Bool {
        switch self {
        case .capacity(let number), .target(let number): number.map { $0 >= 1 } ?? true
        case .name(let text), .group(let text?):
            1...64 ~= text.count && !text.holdsControlCharacter
        case .timezone(let text): !text.isEmpty
        case .dayStart(let hour): 0...23 ~= hour
        case .admitsOverFull, .isHidden, .openingHours, .endsDaysAutomatically, .group(nil), .key: true
        }
    }
}

extension Location {
    /// The location's settings except its name and zone, where they differ from the defaults.
    package var ownSettings: [LocationSetting] {
        let plain = Location(id: id, name: name, timezone: timezone)
        return plain.changes(to: self)
    }

    /// The settings that turn this location into `other`; ids are ignored.
    package func changes(to other: Location) -> [LocationSetting] {
        var changes: [LocationSetting] = []
        if other.name != name { changes.append(.name(other.name)) }
        if other.timezone != timezone { changes.append(.timezone(other.timezone)) }
        if other.maxCapacity != maxCapacity { changes.append(.capacity(other.maxCapacity)) }
        if other.dayStart != dayStart { changes.append(.dayStart(other.dayStart)) }
        if other.admitsOverFull != admitsOverFull { changes.append(.admitsOverFull(other.admitsOverFull)) }
        if other.isHidden != isHidden { changes.append(.isHidden(other.isHidden)) }
        if other.openingHours != openingHours { changes.append(.openingHours(other.openingHours)) }
        if other.endsDaysAutomatically != endsDaysAutomatically {
            changes.append(.endsDaysAutomatically(other.endsDaysAutomatically))
        }
        if other.group != group { changes.append(.group(other.group)) }
        if other.key != key { changes.append(.key(other.key)) }
        if other.target != target { changes.append(.target(other.target)) }
        return changes
    }
}
