package import CounterModel
import Linux
import Reports

// The text fields of Timers: what they ask for, and how what is typed is read.

extension TimersViewModel {
    /// The field for a setting that is typed.
    func prompt(for line: PreferenceLine) -> FieldPrompt {
        FieldPrompt(
            title: line.preference.title, hint: line.preference.hint, text: line.value, closesUnchanged: true
        ) { self.actions?.set(line.preference, to: $0) }
    }

    /// The field for what comes next of a timer or preset, with the present value.
    func prompt(for draft: TimerDraft) -> FieldPrompt {
        let (hint, text) = draft.question(context.locations.all)
        return FieldPrompt(title: draft.title, hint: hint, text: text) { text throws(FieldProblem) in
            var draft = draft
            if try draft.take(text, self.context.locations.all) {
                self.actions?.submit(draft)
            } else {
                self.context.ask(self.prompt(for: draft))
            }
        }
    }
}

/// A timer or preset while its fields are filled in, one after the other.
package struct TimerDraft: Hashable, Sendable {
    /// The fields, in their order; only a preset has options.
    enum Field: Hashable, Sendable {
        case durationAndLabel, mode, options, locations
    }

    /// The preset that is edited; nil for a new timer.
    package let presetId: UniqueId?
    /// What was entered so far.
    package internal(set) var setup: TimerSetup
    var field = Field.durationAndLabel

    /// A draft that starts with a setup.
    package init(_ setup: TimerSetup, presetId: UniqueId? = nil) {
        self.setup = setup
        self.presetId = presetId
    }
}

extension TimerDraft {
    fileprivate var title: String {
        let what = presetId == nil ? "New timer" : "Preset"
        return switch field {
        case .durationAndLabel: what
        case .mode: "\(what): at its end"
        case .options: "\(what): options"
        case .locations: "\(what): where it counts"
        }
    }

    /// What the open field asks for, and the present value.
    fileprivate func question(_ locations: [LocationChoice.Item]) -> (hint: String, text: String) {
        switch field {
        case .durationAndLabel:
            return (
                "How long, and a name: 5m Robins. Or 1h30m, 90s, 00:05:00; 3 x 5m, 1m: three, pauses of 1m.",
                presetId == nil ? "" : "\(setup.lengthText) \(setup.label)"
            )
        case .mode:
            return (
                "sound: everything. vibration: the screens flash. silent: a line only.", setup.mode.rawValue
            )
        case .options: return (TimerSetup.wordsHint, setup.words.joined(separator: ", "))
        case .locations:
            let names = setup.locations.ids.map { id in locations.first { $0.id == id }?.ownName ?? id.text }
            return (
                "Names of locations with commas between them, or all.",
                setup.locations == .all ? "all" : names.joined(separator: ", ")
            )
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
            do throws(SettingProblem) { try setup.take(words: text) } catch { throw FieldProblem(error.text) }
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

/// A setting that the Timers screen shows and changes.
package enum Preference: String, CaseIterable, Sendable {
    /// How the end of a new timer is announced.
    case mode
    /// Whether the desktop's notification of a new timer is a critical one.
    case urgency
    /// How loud the tone of a new timer is.
    case alarmVolume
    /// Which changes of the count are heard.
    case sounds
    case soundVolume
    /// When the count is spoken.
    case speech
}

/// A setting as the Timers screen shows it.
package struct PreferenceLine: Hashable, Sendable {
    package let preference: Preference
    /// Its value, as it is typed.
    package let value: String
    /// All its values; empty where they are too many, so that one is typed.
    package let choices: [String]

    package init(_ preference: Preference, _ value: String, choices: [String] = []) {
        self.preference = preference
        self.value = value
        self.choices = choices
    }

    /// The value after the present one; nil where it is typed.
    var next: String? {
        guard let index = choices.firstIndex(of: value) else { return choices.first }
        return choices[(index + 1) % choices.count]
    }
}

extension Preference {
    var title: String {
        switch self {
        case .mode: "End told by"
        case .urgency: "Urgent"
        case .alarmVolume: "Alarm volume"
        case .sounds: "Sounds"
        case .soundVolume: "Sound volume"
        case .speech: "Speech"
        }
    }

    /// What follows its value in the list.
    var unit: String {
        switch self {
        case .alarmVolume, .soundVolume: " %"
        case .mode, .urgency, .sounds, .speech: ""
        }
    }

    /// What it decides, and its values.
    var hint: String {
        switch self {
        case .mode: "sound: everything. vibration: the screens flash. silent: a line only."
        case .urgency: "yes: the desktop shows the end in spite of Do Not Disturb."
        case .alarmVolume, .soundVolume: "0 to 100, in percent."
        case .sounds: "What is heard: all, none, or some of up, down, reset, target, error."
        case .speech: "When the count is spoken: never, each, tenth, or key (. on Count)."
        }
    }
}
