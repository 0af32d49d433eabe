/// A property of a location that users set: the one place that says what it is called, how it is read, stored and shown.
///
/// A new one is a value here, with its place in `all`, a field of `Location`, a step of the schema that adds its row to the
/// table `setting`, and an option of `counter location`.
package struct LocationProperty: Sendable {
    /// Its number in the table `setting` of a journal.
    package let key: Int64
    /// Its name in rows of a journal and of the feed, and in a location's JSON.
    package let name: String, jsonName: String
    /// Its name on screens, and what may be typed there.
    package let title: String, hint: String
    fileprivate let kind: Kind
    /// The stored form of a location's value; nil for none.
    package let text: @Sendable (Location) -> String?
    fileprivate let store: @Sendable (inout Location, String?) -> Void
    /// A stored form in words, as a change and as a value.
    fileprivate let words, shown: @Sendable (String?) -> String

    fileprivate init<Value: LosslessStringConvertible & SendableMetatype>(
        _ key: Int64, _ name: String, _ title: String, hint: String, _ kind: Kind,
        _ path: any WritableKeyPath<Location, Value> & Sendable,
        words: @escaping @Sendable (String) -> String, shown: @escaping @Sendable (String) -> String = { $0 }
    ) {
        (self.key, self.name, jsonName) = (key, name, name)
        (self.title, self.hint, self.kind) = (title, hint, kind)
        self.words = { words($0 ?? "") }
        self.shown = { shown($0 ?? "") }
        text = { $0[keyPath: path].description }
        store = { if let value = $1.flatMap(Value.init) { $0[keyPath: path] = value } }
    }

    /// One that a location may be without.
    fileprivate init<Value: LosslessStringConvertible & SendableMetatype>(
        _ key: Int64, _ name: String, json: String? = nil, _ title: String, hint: String, _ kind: Kind,
        _ path: any WritableKeyPath<Location, Value?> & Sendable,
        words: @escaping @Sendable (String) -> String, noWords: String? = nil, none: String = "none",
        shown: @escaping @Sendable (String) -> String = { $0 }
    ) {
        let noWords = noWords ?? "no \(name)"
        (self.key, self.name, jsonName) = (key, name, json ?? name)
        (self.title, self.hint, self.kind) = (title, hint, kind)
        self.words = { $0.map(words) ?? noWords }
        self.shown = { $0.map(shown) ?? none }
        text = { $0[keyPath: path]?.description }
        store = { $0[keyPath: path] = $1.flatMap(Value.init) }
    }

    /// The value of a location as the Admin screen shows it.
    package func shown(of location: Location) -> String { shown(text(location)) }

    /// The other value of a flag; nil where it is no flag.
    package func toggled(in location: Location) -> LocationSetting? {
        guard case .flag(let flag?) = value(of: location) else { return nil }
        return LocationSetting(self, unchecked: String(!flag))
    }

    package func value(of location: Location) -> JSONLine.Value { kind.json(text(location)) }
}

extension LocationProperty {
    package static let name = LocationProperty(
        2, "name", "Name", hint: "1 to 64 characters.", .name, \.name, words: { "name \($0)" })

    package static let timezone = LocationProperty(
        3, "timezone", "Time zone", hint: "As the tz database names it, such as Europe/Zurich.", .zone,
        \.timezone, words: { "zone \($0)" })

    package static let capacity = LocationProperty(
        1, "capacity", json: "maxCapacity", "Capacity",
        hint: "How many it holds, from 1 up. Empty, or none: a tally.", .count("capacity"), \.maxCapacity,
        words: { "capacity \($0)" }, none: "none: a tally")

    package static let dayStart = LocationProperty(
        4, "dayStart", "Day starts at", hint: "The hour, 0 to 23.", .hour, \.dayStart,
        words: { "days start at \(Location.dayStartText($0))" }, shown: { Location.dayStartText($0) })

    package static let admitsOverFull = LocationProperty(
        5, "admitsOverFull", "When full", hint: "true or false.", .flag, \.admitsOverFull,
        words: { "counting by hand when full: \($0 == "true" ? "" : "not ")allowed" },
        shown: { "counting by hand: \($0 == "true" ? "" : "not ")allowed" })

    package static let isHidden = LocationProperty(
        6, "isHidden", "Hidden", hint: "true or false.", .flag, \.isHidden,
        words: { $0 == "true" ? "hidden" : "shown" }, shown: { $0 == "true" ? "yes" : "no" })

    package static let openingHours = LocationProperty(
        7, "openingHours", "Open", hint: "Such as Mon-Fri 09:00-18:00, Sat 10:00-16:00. Empty: unknown.",
        .hours, \.openingHours, words: { "open \($0)" }, noWords: "no opening hours", none: "hours unknown")

    package static let endsDaysAutomatically = LocationProperty(
        8, "endsDaysAutomatically", "Day ends", hint: "true or false.", .flag, \.endsDaysAutomatically,
        words: { $0 == "true" ? "days end automatically" : "days end when you end them" },
        shown: { $0 == "true" ? "automatically, when the next one starts" : "when you end it (E)" })

    package static let group = LocationProperty(
        9, "group", "Group", hint: "Locations of one group are reported together. Empty: none.", .group,
        \.group, words: { "group \($0)" })

    package static let key = LocationProperty(
        10, "key", "Key",
        hint: "A letter that counts up here, as a capital down, on every screen. Empty: none.", .key, \.key,
        words: { "key \($0)" }, shown: { "\($0) counts up, \($0.uppercased()) down" })

    package static let target = LocationProperty(
        11, "target", json: "targetCount", "Target",
        hint: "The count to reach, from 1 up. Empty, or none: no target.", .count("target"), \.target,
        words: { "target \($0)" })

    /// All properties, in the order in which a change of several is written.
    package static let all: [LocationProperty] = [
        name, timezone, capacity, dayStart, admitsOverFull, isHidden, openingHours, endsDaysAutomatically,
        group, key, target,
    ]

    /// Those that have a row on Admin, in its order.
    package static let onAdmin: [LocationProperty] = [
        name, capacity, timezone, dayStart, openingHours, endsDaysAutomatically, admitsOverFull, key, target,
        group,
    ]
}

extension LocationProperty: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

// MARK: - Values

extension LocationProperty {
    /// What the values of a property are: how they are stored, read and typed.
    fileprivate struct Kind: Sendable {
        /// The stored form of a text; nil where it is no value.
        let stored: @Sendable (String) -> String?
        /// The value of a stored form.
        var json: @Sendable (String?) -> JSONLine.Value = { .text($0) }
        /// Whether a text in a field means none; nil where a location always has one.
        var isNone: (@Sendable (String) -> Bool)?
        /// A typed text without what only its form allows; nil where the form does not allow it.
        var plain: @Sendable (String, TypedForm) -> String? = { text, _ in text }
        let problem: @Sendable (String, TypedForm) -> String

        var isOptional: Bool { isNone != nil }

        /// 1 or more, or none; `what` is what it is called in messages.
        static func count(_ what: String) -> Kind {
            Kind(
                stored: { Int($0).flatMap { $0 >= 1 ? String($0) : nil } }, json: number,
                isNone: { $0.isEmpty || $0.lowercased() == "none" },
                plain: { text, form in
                    form == .option || text.allSatisfy(\.isDecimalDigit) ? text : nil
                },
                problem: {
                    $1 == .option
                        ? "the \(what) must be 1 or more, or none"
                        : "a \(what) is a number from 1 up, or none"
                })
        }

        private static let number: @Sendable (String?) -> JSONLine.Value = { .number($0.flatMap { Int($0) }) }

        static let hour = Kind(
            stored: { Int($0).flatMap { 0...23 ~= $0 ? String($0) : nil } }, json: number,
            plain: { $1 == .field && $0.hasSuffix(":00") ? String($0.dropLast(3)) : $0 },
            problem: {
                $1 == .option ? "the hour must be 0 to 23" : "a day starts at an hour from 0 to 23"
            })

        static let flag = Kind(
            stored: { Bool($0).map { String($0) } }, json: { .flag($0 == "true") },
            problem: { _, _ in "it is true or false" })

        static let name = Kind(
            stored: { 1...64 ~= $0.count && !$0.holdsControlCharacter ? $0 : nil },
            plain: { text, _ in NameRule.admits(text) ? text : nil },
            problem: { NameRule.problem(with: $0, as: $1) ?? NameRule.text })

        /// As a name, or none.
        static let group = Kind(
            stored: name.stored, isNone: { $0.isEmpty }, plain: name.plain, problem: name.problem)

        /// An IANA identifier. The caller checks that the zone exists, because this module has no zone database.
        static let zone = Kind(
            stored: { $0.isEmpty ? nil : $0 }, problem: { _, _ in "enter a time zone, such as Europe/Zurich" }
        )

        static let hours = Kind(
            stored: { OpeningHours($0)?.description }, isNone: { $0.isEmpty },
            problem: {
                let example = "Mon-Fri 09:00-18:00, Sat 10:00-16:00"
                return "opening hours are written as \($1 == .option ? "'\(example)'" : example)"
            })

        static let key = Kind(
            stored: { LocationKey($0)?.description }, isNone: { $0.isEmpty || $0.lowercased() == "none" },
            problem: { _, _ in LocationKey.text })
    }
}

/// A change of one property of a location. It is a row of the journal and applies from its time on.
package struct LocationSetting: Hashable, Sendable, CustomStringConvertible {
    package let property: LocationProperty
    /// The value in its stored form; nil for none. It may be out of its range: see `isValid`.
    package let text: String?

    fileprivate init(_ property: LocationProperty, unchecked text: String?) {
        (self.property, self.text) = (property, text)
    }

    package init?(_ property: LocationProperty, text: String?) {
        let stored = text.flatMap(property.kind.stored)
        guard stored != nil || text == nil && property.kind.isOptional else { return nil }
        self.init(property, unchecked: stored)
    }

    package init?(named name: String, text: String?) {
        guard let property = LocationProperty.all.first(where: { $0.name == name }) else { return nil }
        self.init(property, text: text)
    }

    package init?(key: Int64, text: String?) {
        guard let property = LocationProperty.all.first(where: { $0.key == key }) else { return nil }
        self.init(property, text: text)
    }

    /// `capacity 50`
    package var description: String { "\(property.name) \(text ?? "none")" }

    package var isValid: Bool { LocationSetting(property, text: text) != nil }

    package var words: String { property.words(text) }

    package static func name(_ name: String) -> Self { Self(.name, unchecked: name) }
    package static func timezone(_ zone: String) -> Self { Self(.timezone, unchecked: zone) }
    package static func capacity(_ count: Int?) -> Self { Self(.capacity, unchecked: count.map(String.init)) }
    package static func dayStart(_ hour: Int) -> Self { Self(.dayStart, unchecked: String(hour)) }
    package static func admitsOverFull(_ flag: Bool) -> Self {
        Self(.admitsOverFull, unchecked: String(flag))
    }
    package static func isHidden(_ flag: Bool) -> Self { Self(.isHidden, unchecked: String(flag)) }
    package static func openingHours(_ hours: OpeningHours?) -> Self {
        Self(.openingHours, unchecked: hours?.description)
    }
    package static func endsDaysAutomatically(_ flag: Bool) -> Self {
        Self(.endsDaysAutomatically, unchecked: String(flag))
    }
    package static func key(_ key: LocationKey?) -> Self { Self(.key, unchecked: key?.description) }
    package static func target(_ count: Int?) -> Self { Self(.target, unchecked: count.map(String.init)) }
}

extension Location {
    package mutating func apply(_ setting: LocationSetting) { setting.property.store(&self, setting.text) }

    /// The location's settings except its name and zone, where they differ from the defaults.
    package var ownSettings: [LocationSetting] {
        Location(id: id, name: name, timezone: timezone).changes(to: self)
    }

    /// The settings that turn this location into `other`; ids are ignored.
    package func changes(to other: Location) -> [LocationSetting] {
        LocationProperty.all.compactMap { property in
            let text = property.text(other)
            return text == property.text(self) ? nil : LocationSetting(property, unchecked: text)
        }
    }
}

// MARK: - Typed values

/// Where a value is typed: the two have different words for none, and for what is wrong.
package enum TypedForm: Sendable {
    /// An option of the command line; `none` takes a value away.
    case option
    /// A field of a screen; an empty one takes a value away, and so does `none` where it could be no value.
    case field
}

/// Why a typed text is invalid, as a sentence without its full stop.
package struct FieldProblem: Error, Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}

extension LocationSetting {
    /// Reads a typed value. The executable checks whether a time zone exists, and whether a key is free.
    package init(_ property: LocationProperty, typed text: String, as form: TypedForm) throws(FieldProblem) {
        let kind = property.kind
        if let isNone = kind.isNone, form == .option ? text == "none" : isNone(text) {
            self.init(property, unchecked: nil)
        } else if let plain = kind.plain(text, form), let setting = LocationSetting(property, text: plain) {
            self = setting
        } else {
            throw FieldProblem(kind.problem(text, form))
        }
    }
}

package enum NameRule {
    /// Whether the text is valid: 1 to 64 characters, at least one of them visible, none of them a control character.
    package static func admits(_ text: String) -> Bool {
        LocationSetting.name(text).isValid && text.hasVisibleCharacter
    }

    package static let text =
        "a name has 1 to 64 characters, at least one of them visible, none of them a control character"

    package static func problem(with text: String, as form: TypedForm) -> String? {
        if admits(text) { return nil }
        if form == .option { return Self.text }
        return text.hasVisibleCharacter ? "a name has at most 64 characters" : "a name is needed"
    }
}
