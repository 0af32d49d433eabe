package import CounterModel
import Linux

// The text fields of Admin: what they ask for, and how what is typed is read.

extension AdminViewModel {
    func prompt(for property: LocationSetting.Name, of location: Location) -> FieldPrompt {
        FieldPrompt(
            title: "\(property.title): \(location.name)", hint: property.hint,
            text: property.text(of: location),
            of: location.id, closesUnchanged: true
        ) { text throws(FieldProblem) in
            let setting = try LocationSetting(property, typed: text, refusal: self.refusal)
            self.actions?.set(setting, of: location.id)
        }
    }

    var newLocationPrompt: FieldPrompt {
        FieldPrompt(title: "Add a location", hint: "Its name. That of a hidden location brings it back.") {
            text throws(FieldProblem) in
            self.actions?.addLocation(named: try name(text))
        }
    }

    /// nil where the location is no longer shown.
    func correctionPrompt(at id: Identifier) -> FieldPrompt? {
        guard let location, location.id == id else { return nil }
        return FieldPrompt(
            title: "Correct: \(location.name)",
            hint: "What you counted, a space, and why: =45 counted at noon. Or a difference: +3, -3.", of: id
        ) { text throws(FieldProblem) in
            self.actions?.correct(try TypedCorrection(typed: text.trimmed), at: id)
        }
    }

    /// nil where the device no longer exists.
    func namePrompt(of id: Identifier) -> FieldPrompt? {
        guard let device = devices.first(where: { $0.id == id }) else { return nil }
        return FieldPrompt(
            title: "Name: \(device.name)", hint: "The device's id is \(id), which stays.", text: device.name,
            closesUnchanged: true
        ) { text throws(FieldProblem) in self.actions?.rename(device: id, to: try name(text)) }
    }

    /// nil where the device no longer exists.
    func locationPrompt(of id: Identifier) -> FieldPrompt? {
        guard let device = devices.first(where: { $0.id == id }) else { return nil }
        return FieldPrompt(
            title: "Location: \(device.name)", hint: "A location's name; none: where counter is run for.",
            text: device.locationId.map { names[$0] ?? $0.text } ?? "", closesUnchanged: true
        ) { text throws(FieldProblem) in
            self.actions?.assign(device: id, to: try self.location(typed: text.trimmed))
        }
    }

    private func location(typed text: String) throws(FieldProblem) -> Identifier? {
        if text.isEmpty { return nil }
        let locations = context.locations.all
        guard
            let place = locations.first(where: { $0.ownName == text })
                ?? locations.first(where: { $0.id == Identifier(text) })
        else { throw FieldProblem("there is no location '\(text)'") }
        return place.id
    }
}

/// A typed name. A device's has the same length limits as a location's.
private func name(_ text: String) throws(FieldProblem) -> String {
    let text = text.trimmed
    guard NameRule.admits(text) else {
        throw FieldProblem(
            !text.hasVisibleCharacter ? "a name is needed" : "a name has at most 64 characters")
    }
    return text
}

extension LocationSetting {
    /// Parses a typed value. Whether a time zone exists is checked when it is set.
    init(
        _ property: Name, typed text: String, refusal: (LocationKey) -> String?
    ) throws(FieldProblem) {
        let text = text.trimmed
        switch property {
        case .capacity: self = .capacity(try Self.number(text, "a capacity"))
        case .target: self = .target(try Self.number(text, "a target"))
        case .key: self = .key(try Self.key(text, refusal))
        case .name: self = .name(try CounterTUI.name(text))
        case .timezone:
            if text.isEmpty { throw FieldProblem("enter a time zone, such as Europe/Zurich") }
            self = .timezone(text)
        case .dayStart:
            let hour = text.hasSuffix(":00") ? text.dropLast(3) : text[...]
            guard let number = Int(hour), 0...23 ~= number else {
                throw FieldProblem("a day starts at an hour from 0 to 23")
            }
            self = .dayStart(number)
        case .openingHours where text.isEmpty: self = .openingHours(nil)
        case .openingHours:
            guard let hours = OpeningHours(text) else {
                throw FieldProblem("opening hours are written as Mon-Fri 09:00-18:00, Sat 10:00-16:00")
            }
            self = .openingHours(hours)
        case .group: self = .group(text.isEmpty ? nil : try CounterTUI.name(text))
        case .admitsOverFull, .isHidden, .endsDaysAutomatically:
            guard let setting = LocationSetting(property, text: text) else {
                throw FieldProblem("it is true or false")
            }
            self = setting
        }
    }

    private static func number(_ text: String, _ what: String) throws(FieldProblem) -> Int? {
        if text.isEmpty || text.lowercased() == "none" { return nil }
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text), number >= 1 else {
            throw FieldProblem("\(what) is a number from 1 up, or none")
        }
        return number
    }

    private static func key(
        _ text: String, _ refusal: (LocationKey) -> String?
    ) throws(FieldProblem) -> LocationKey? {
        if text.isEmpty || text.lowercased() == "none" { return nil }
        guard let key = LocationKey(text) else { throw FieldProblem(LocationKey.text) }
        if let refusal = refusal(key) { throw FieldProblem(refusal) }
        return key
    }
}

extension LocationSetting.Name {
    var title: String {
        switch self {
        case .name: "Name"
        case .capacity: "Capacity"
        case .timezone: "Time zone"
        case .dayStart: "Day starts at"
        case .admitsOverFull: "Manual entries"
        case .isHidden: "Hidden"
        case .openingHours: "Open"
        case .endsDaysAutomatically: "Days end"
        case .group: "Group"
        case .key: "Key"
        case .target: "Target"
        }
    }

    var hint: String {
        switch self {
        case .name: "1 to 64 characters."
        case .capacity: "How many it holds, from 1 up. Empty, or none: a tally."
        case .timezone: "As the tz database names it, such as Europe/Zurich."
        case .dayStart: "The hour, 0 to 23."
        case .admitsOverFull, .isHidden, .endsDaysAutomatically: "true or false."
        case .openingHours: "Such as Mon-Fri 09:00-18:00, Sat 10:00-16:00. Empty: unknown."
        case .group: "Locations of one group are reported together. Empty: none."
        case .key: "A letter that counts up here, as a capital down, on Count and Live. Empty: none."
        case .target: "The count to reach, from 1 up. Empty, or none: no target."
        }
    }

    func text(of location: Location) -> String {
        switch self {
        case .name: location.name
        case .capacity: location.maxCapacity.map(String.init) ?? ""
        case .timezone: location.timezone
        case .dayStart: String(location.dayStart)
        case .admitsOverFull: String(location.admitsOverFull)
        case .isHidden: String(location.isHidden)
        case .openingHours: location.openingHours?.description ?? ""
        case .endsDaysAutomatically: String(location.endsDaysAutomatically)
        case .group: location.group ?? ""
        case .key: location.key?.description ?? ""
        case .target: location.target.map(String.init) ?? ""
        }
    }
}

/// A correction as it is typed: `=45 counted at noon`, `+3 came in by the back door`.
package struct TypedCorrection: Hashable, Sendable {
    private static let longestReason = 200

    /// By how much, or to which count.
    package let amount: Correction.Amount
    /// Why, 1 to 200 characters.
    package let reason: String

    init(_ amount: Correction.Amount, reason: String) {
        self.amount = amount
        self.reason = reason
    }

    /// Parses an amount, a space and the reason.
    ///
    /// - throws: `FieldProblem`
    init(typed text: String) throws(FieldProblem) {
        let parts = text.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
        guard let first = parts.first, let sign = first.first, "+-=".contains(sign),
            first.dropFirst(first.hasPrefix("=-") ? 2 : 1).first?.isNumber ?? false
        else { throw FieldProblem("Start with a number, for example +3, -3 or =45") }
        guard let amount = Correction.Amount(first) else {
            throw FieldProblem("the number is \(Correction.range)")
        }
        guard parts.count == 2, parts[1].hasVisibleCharacter else {
            throw FieldProblem("the reason is missing")
        }
        guard parts[1].count <= Self.longestReason else {
            throw FieldProblem("a reason has at most \(Self.longestReason) characters")
        }
        self.init(amount, reason: parts[1])
    }
}

extension String {
    /// The text without leading and trailing spaces.
    var trimmed: String {
        let start = drop { $0 == " " }
        guard let last = start.lastIndex(where: { $0 != " " }) else { return "" }
        return String(start[...last])
    }
}
