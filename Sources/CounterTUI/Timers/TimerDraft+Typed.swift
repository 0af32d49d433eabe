import CounterModel
import Linux
import Reports

extension TimerDraft {
    /// A field for what comes next, with the present value.
    func prompt(_ locations: [LocationChoice.Item]) -> FieldPrompt {
        let title = presetId == nil ? "New timer" : "Preset"
        switch field {
        case .durationAndLabel:
            let text = presetId == nil ? "" : "\(setup.lengthText) \(setup.label)"
            return FieldPrompt(
                title: title,
                hint:
                    "How long, and a name: 5m Robins. Or 1h30m, 90s, 00:05:00; 3 x 5m, 1m: three, pauses of 1m.",
                text: text, purpose: .timer(self))
        case .mode:
            return FieldPrompt(
                title: "\(title): at its end",
                hint: "sound: everything. vibration: the screens flash. silent: a line only.",
                text: setup.mode.rawValue, purpose: .timer(self))
        case .options:
            return FieldPrompt(
                title: "\(title): options", hint: TimerOptionWords.hint,
                text: setup.presetWords.joined(separator: ", "), purpose: .timer(self))
        case .locations:
            let names = setup.locations.ids.map { id in locations.first { $0.id == id }?.ownName ?? id.text }
            return FieldPrompt(
                title: "\(title): where it counts",
                hint: "Names of locations with commas between them, or all.",
                text: setup.locations == .all ? "all" : names.joined(separator: ", "), purpose: .timer(self))
        }
    }

    /// The draft after the text of the open field was submitted, with the next field open.
    ///
    /// - returns: Whether that was the last field.
    mutating func take(_ text: String, _ locations: [LocationChoice.Item]) throws(FieldProblem) -> Bool {
        switch field {
        case .durationAndLabel:
            try takeDuration(text)
            field = .mode
        case .mode:
            let name = text.filter { !$0.isWhitespace }.lowercased()
            guard let mode = AlarmMode(rawValue: name) else {
                throw FieldProblem("it is sound, vibration or silent")
            }
            setup.mode = mode
            field = presetId == nil ? .locations : .options
        case .options:
            try TimerOptionWords.read(text, into: &setup)
            field = .locations
        case .locations:
            setup.locations = try Self.locations(text, locations)
            return true
        }
        // One location is no choice.
        return field == .locations && locations.count < 2
    }

    private mutating func takeDuration(_ text: String) throws(FieldProblem) {
        let phrase: TimerPhrase
        do throws(TimerPhrase.Problem) { phrase = try TimerPhrase(text) } catch {
            throw FieldProblem(error.description)
        }
        (setup.rounds, setup.seconds) = (phrase.rounds, phrase.seconds)
        (setup.pauseSeconds, setup.label) = (phrase.pauseSeconds, phrase.label)
    }

    private static func locations(
        _ text: String, _ locations: [LocationChoice.Item]
    ) throws(FieldProblem) -> TimerLocations {
        var ids: [Identifier] = []
        for part in text.split(separator: ",") {
            let name = LabelSanitizer.label(part)
            if name.lowercased() == "all" { return .all }
            guard let place = locations.first(where: { $0.ownName == name || $0.id == Identifier(name) })
            else {
                throw FieldProblem("there is no location '\(name)'")
            }
            if !ids.contains(place.id) { ids.append(place.id) }
        }
        guard !ids.isEmpty else { throw FieldProblem("name a location, or all") }
        return .some(ids)
    }
}
