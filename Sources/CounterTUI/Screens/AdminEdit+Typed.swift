import CounterModel
import Linux

extension AdminEdit {
    /// Parses a typed text into the change that it describes.
    ///
    /// - parameters:
    ///   - text: The text as it was typed.
    ///   - locations: The locations that a device can be assigned to.
    /// - returns: The change.
    /// - throws: `FieldProblem`
    func change(typed text: String, locations: [LocationChoice.Item]) throws(FieldProblem) -> AdminChange {
        if let locationId, !locations.contains(where: { $0.id == locationId }) { throw .gone }
        let text = text.trimmed
        switch self {
        case .setting(let property, let id):
            return .setting(try LocationSetting(property, typed: text), of: id)
        case .newLocation: return .add(name: try Self.name(text))
        case .correction(let id): return .correction(try TypedCorrection(typed: text), at: id)
        case .deviceName(let id): return .rename(device: id, to: try Self.name(text))
        case .deviceLocation(let id):
            if text.isEmpty { return .assign(device: id, to: nil) }
            guard
                let place = locations.first(where: { $0.ownName == text })
                    ?? locations.first(where: { $0.id == Identifier(text) })
            else { throw FieldProblem("there is no location '\(text)'") }
            return .assign(device: id, to: place.id)
        }
    }

    /// The id of the location that it changes; nil where it changes something else.
    var locationId: Identifier? {
        switch self {
        case .setting(_, let id), .correction(let id): id
        case .newLocation, .deviceName, .deviceLocation: nil
        }
    }

    /// Whether the field starts with the present value, so that an unedited text changes nothing.
    var showsWhatIsThere: Bool {
        switch self {
        case .setting, .deviceName, .deviceLocation: true
        case .newLocation, .correction: false
        }
    }

    // A device's name has the same length limits as a location's.
    fileprivate static func name(_ text: String) throws(FieldProblem) -> String {
        guard NameRule.admits(text) else {
            throw FieldProblem(
                !text.hasVisibleCharacter ? "a name is needed" : "a name has at most 64 characters")
        }
        return text
    }
}

extension LocationSetting {
    /// Parses a typed value. The executable checks whether a time zone exists.
    ///
    /// - throws: `FieldProblem`
    init(_ property: Name, typed text: String) throws(FieldProblem) {
        switch property {
        case .capacity: self = .capacity(try Self.number(text, "a capacity"))
        case .target: self = .target(try Self.number(text, "a target"))
        case .key: self = .key(try Self.key(text))
        case .name: self = .name(try AdminEdit.name(text))
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
        case .group: self = .group(text.isEmpty ? nil : try AdminEdit.name(text))
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

    private static func key(_ text: String) throws(FieldProblem) -> LocationKey? {
        if text.isEmpty || text.lowercased() == "none" { return nil }
        guard let key = LocationKey(text) else { throw FieldProblem(LocationKey.text) }
        if let refusal = ScreensViewModel.refusal(of: key) { throw FieldProblem(refusal) }
        return key
    }
}
