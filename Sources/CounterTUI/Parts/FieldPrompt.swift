import Linux

/// A prompt for one line of text. It stays open until the text is accepted, or Escape closes it.
package struct FieldPrompt: Hashable, Sendable {
    /// What to type, and its subject, in a word or two.
    package let title: String
    /// An example of a valid text.
    package let hint: String
    /// The text typed so far.
    package internal(set) var field: TextField
    /// What the text is for.
    let purpose: Purpose
    private let original: String

    /// What a text can be for.
    enum Purpose: Hashable, Sendable {
        /// A change on the Admin screen.
        case edit(AdminEdit)
        /// A range of history.
        case range
        /// A field of a timer or a preset.
        case timer(TimerDraft)
        /// A setting of the Timers screen.
        case preference(Preference)
    }

    /// A prompt whose field starts with `text`.
    init(title: String, hint: String, text: String = "", purpose: Purpose) {
        self.title = title.sanitised
        self.hint = hint.sanitised
        self.purpose = purpose
        field = TextField(text)
        original = text
    }

    /// Whether the initial text was not edited.
    var isUnchanged: Bool { field.text == original }

    /// The prompt for a range of history.
    static let range = FieldPrompt(
        title: "Range",
        hint:
            "Such as 10min, 2h, 7d, this week, 14:00 to now, 2026-11-01, 2026-11-01 to 2026-11-08 (seven days), "
            + "7d by hour.",
        purpose: .range)
}
