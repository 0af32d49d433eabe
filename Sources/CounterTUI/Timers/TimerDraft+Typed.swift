import CounterModel
import Reports
import System
import TimerModel

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
        var words = text.split { $0.isWhitespace }[...]
        (setup.rounds, setup.pauseSeconds) = (1, 0)
        if words.count > 2, ["x", "×"].contains(words[1].lowercased()), let rounds = Int(words[0]) {
            guard 1...TimerSetup.mostRounds ~= rounds else {
                throw FieldProblem("a timer has 1 to \(TimerSetup.mostRounds) rounds")
            }
            setup.rounds = rounds
            words = words.dropFirst(2)
        }
        guard let first = words.popFirst() else {
            throw FieldProblem("enter how long, \(DurationText.forms)")
        }
        let hasPause = setup.rounds > 1 && first.last == ","
        setup.seconds = try Self.seconds(hasPause ? first.dropLast() : first)
        if hasPause, let pause = words.popFirst() { setup.pauseSeconds = try Self.seconds(pause) }
        setup.label = LabelSanitizer.label(words.joined(separator: " "))
    }

    private static func seconds(_ text: Substring) throws(FieldProblem) -> Int {
        switch TimerDuration.read(text) {
        case .success(let seconds): return seconds
        case .failure(.outOfRange): throw FieldProblem(TimerDuration.text)
        case .failure(.unreadable):
            throw FieldProblem("'\(text)' is no duration; write one \(DurationText.forms)")
        }
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
