package import CounterModel
import Linux
import Reports

// The text fields of Timers: what they ask for, and how what is typed is read.

extension TimersViewModel {
    /// The field for a setting that is typed.
    func prompt(for line: PreferenceLine) -> FieldPrompt {
        let texts = line.preference.texts
        return FieldPrompt(title: texts.title, hint: texts.hint, text: line.value, closesUnchanged: true) {
            self.actions?.set(line.preference, to: $0)
        }
    }

    /// The open field of a timer or preset, with what was typed there before, or else the present value.
    func prompt(for draft: TimerDraft) -> FieldPrompt {
        let fields = draft.fields(context.locations.all)
        let index = min(draft.index, fields.count - 1)
        let field = fields[index]
        let isLast = index == fields.count - 1
        let enter = !isLast ? "goes on" : draft.presetId == nil ? "starts it" : "saves it"
        func open(_ index: Int, _ draft: TimerDraft, typed: String) {
            var draft = draft
            draft.typed[field.title] = typed
            draft.index = index
            context.ask(prompt(for: draft))
        }
        return FieldPrompt(
            title: "\(field.title), \(index + 1) of \(fields.count)", hint: "\(field.hint) Enter \(enter).",
            text: draft.typed[field.title] ?? field.text,
            back: index == 0 ? nil : { open(index - 1, draft, typed: $0) }
        ) { text throws(FieldProblem) in
            var draft = draft
            try field.take(&draft.setup, text)
            if !isLast { return open(index + 1, draft, typed: text) }
            self.actions?.submit(draft)
        }
    }
}

/// A timer or preset while its fields are filled in, one after the other.
package struct TimerDraft {
    /// The preset that is edited; nil for a new timer.
    package let presetId: UniqueId?
    /// What was entered so far.
    package internal(set) var setup: TimerSetup
    /// Which field is open, from 0.
    var index = 0
    /// The texts of the fields that were left, by their titles.
    var typed: [String: String] = [:]

    package init(_ setup: TimerSetup, presetId: UniqueId? = nil) {
        self.setup = setup
        self.presetId = presetId
    }
}

/// A field of a draft: what it asks for, the present value, and how a text is read.
private struct DraftField {
    let title: String
    let hint: String
    let text: String
    let take: (inout TimerSetup, String) throws(FieldProblem) -> Void
}

extension TimerDraft {
    /// The fields, in their order: one location is no choice, and only a preset has options.
    fileprivate func fields(_ locations: [Location]) -> [DraftField] {
        let what = presetId == nil ? "New timer" : "Preset"
        let forms = "5m Robins. Or 1h30m, 90s, 00:05:00; 3 x 5m, 1m: three, pauses of 1m."
        let length = DraftField(
            title: what, hint: "How long, and a name: \(forms)",
            text: presetId == nil ? "" : "\(setup.lengthText) \(setup.label)"
        ) { setup, text throws(FieldProblem) in
            let phrase = try TimerPhrase(text)
            (setup.rounds, setup.seconds) = (phrase.rounds, phrase.seconds)
            (setup.pauseSeconds, setup.label) = (phrase.pauseSeconds, phrase.label)
        }
        let mode = DraftField(
            title: "\(what): at its end", hint: Preference.mode.texts.hint, text: setup.mode.rawValue
        ) { setup, text throws(FieldProblem) in
            guard let mode = AlarmMode(rawValue: text.filter { !$0.isWhitespace }.lowercased()) else {
                throw FieldProblem("it is sound, vibration or silent")
            }
            setup.mode = mode
        }
        let names = setup.locations.ids.map { id in locations.first { $0.id == id }?.name ?? id.text }
        let places = DraftField(
            title: "\(what): where it counts", hint: "Names of locations with commas between them, or all.",
            text: setup.locations == .all ? "all" : names.joined(separator: ", ")
        ) { setup, text throws(FieldProblem) in setup.locations = try Self.locations(text, locations) }
        let options = DraftField(
            title: "\(what): options", hint: TimerSetup.wordsHint, text: setup.words.joined(separator: ", ")
        ) { setup, text throws(FieldProblem) in try setup.take(words: text) }
        return [length, mode] + (locations.count > 1 ? [places] : []) + (presetId == nil ? [] : [options])
    }

    private static func locations(
        _ text: String, _ locations: [Location]
    ) throws(FieldProblem) -> TimerLocations {
        var ids: [Identifier] = []
        for part in text.split(separator: ",") {
            let name = LabelSanitizer.label(part)
            if name.lowercased() == "all" { return .all }
            let id = try locations.named(name).id
            if !ids.contains(id) { ids.append(id) }
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

package struct PreferenceLine: Hashable, Sendable {
    package let preference: Preference
    package let value: String
    /// All its values; empty where they are too many, so that one is typed.
    package let choices: [String]

    package init(_ preference: Preference, _ value: String, choices: [String] = []) {
        (self.preference, self.value, self.choices) = (preference, value, choices)
    }

    /// The value after the present one; nil where it is typed.
    var next: String? {
        guard let index = choices.firstIndex(of: value) else { return choices.first }
        return choices[(index + 1) % choices.count]
    }
}

extension Preference {
    /// Its name, what follows its value in the list, and as a hint what it decides, and its values.
    var texts: (title: String, unit: String, hint: String) {
        switch self {
        case .mode:
            ("End told by", "", "sound: everything. vibration: the screens flash. silent: a line only.")
        case .urgency: ("Urgent", "", "yes: the desktop shows the end in spite of Do Not Disturb.")
        case .alarmVolume: ("Alarm volume", " %", "0 to 100, in percent.")
        case .sounds: ("Sounds", "", "What is heard: all, none, or some of up, down, reset, target, error.")
        case .soundVolume: ("Sound volume", " %", "0 to 100, in percent.")
        case .speech: ("Speech", "", "When the count is spoken: never, each, tenth, or key (. on Count).")
        }
    }
}
