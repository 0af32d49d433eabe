package import CounterModel
import Linux

// The text fields of Admin: what they ask for, and how what is typed is read.

extension AdminViewModel {
    func prompt(for property: LocationProperty, of location: Location) -> FieldPrompt {
        FieldPrompt(
            title: "\(property.title): \(location.name)", hint: property.hint,
            text: property.text(location) ?? "",
            of: location.id, closesUnchanged: true
        ) { text throws(FieldProblem) in
            let setting = try LocationSetting(property, typed: text, refusal: self.refusal)
            self.actions?.set(setting, of: location.id)
        }
    }

    var newLocationPrompt: FieldPrompt {
        FieldPrompt(
            title: "Add a location",
            hint:
                "Its name. That of a hidden location brings it back. Its days will end when you end them (E): the row "
                + "\(LocationProperty.endsDaysAutomatically.title) has them end automatically."
        ) { text throws(FieldProblem) in self.actions?.addLocation(named: try name(text)) }
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

    func namePrompt(of device: Device) -> FieldPrompt {
        FieldPrompt(
            title: "Name: \(device.name)", hint: "The device's id is \(device.id), which stays.",
            text: device.name, closesUnchanged: true
        ) { text throws(FieldProblem) in
            self.actions?.set(.name(try name(text)), of: device.id, to: nil)
        }
    }

    func locationPrompt(of device: Device) -> FieldPrompt {
        FieldPrompt(
            title: "Location: \(device.name)", hint: "A location's name; none: where counter is run for.",
            text: device.locationId.map { names[$0] ?? $0.text } ?? "", closesUnchanged: true
        ) { text throws(FieldProblem) in
            let text = text.trimmed
            let place = text.isEmpty ? nil : try self.context.locations.all.named(text).id
            self.actions?.set(.location, of: device.id, to: place)
        }
    }
}

private func name(_ text: String) throws(FieldProblem) -> String {
    let text = text.trimmed
    if let problem = NameRule.problem(with: text, as: .field) { throw FieldProblem(problem) }
    return text
}

extension LocationSetting {
    /// Parses a typed value. Whether a time zone exists is checked when it is set.
    init(
        _ property: LocationProperty, typed text: String, refusal: (LocationKey) -> String? = { _ in nil }
    ) throws(FieldProblem) {
        try self.init(property, typed: text.trimmed, as: .field)
        guard property == .key, let key = self.text.flatMap(LocationKey.init) else { return }
        if let refusal = refusal(key) { throw FieldProblem(refusal) }
    }
}

/// A correction as it is typed: `=45 counted at noon`, `+3 came in by the back door`.
package struct TypedCorrection: Hashable, Sendable {
    private static let longestReason = 200

    package let amount: Correction.Amount
    /// Why, 1 to 200 characters.
    package let reason: String

    /// Parses an amount, a space and the reason.
    init(typed text: String) throws(FieldProblem) {
        let parts = text.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
        guard let first = parts.first, let sign = first.first, "+-=".contains(sign),
            first.dropFirst(first.hasPrefix("=-") ? 2 : 1).first?.isNumber ?? false
        else {
            let number = parts.first.flatMap { $0.allSatisfy(\.isNumber) ? $0 : nil }
            throw FieldProblem(
                number.map { "Write =\($0) if \($0) is what you counted" }
                    ?? "Start with a number, for example +3, -3 or =45")
        }
        guard let amount = Correction.Amount(first) else {
            throw FieldProblem("the number is \(Correction.range)")
        }
        guard parts.count == 2, parts[1].hasVisibleCharacter else {
            throw FieldProblem(
                "the reason is missing; write it behind, such as \(first) counted at noon")
        }
        guard parts[1].count <= Self.longestReason else {
            throw FieldProblem("a reason has at most \(Self.longestReason) characters")
        }
        (self.amount, reason) = (amount, parts[1])
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
