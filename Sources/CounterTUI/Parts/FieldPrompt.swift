import System

/// A text that somebody is asked for: it stays open until it is taken, or left by Escape.
public struct FieldPrompt: Hashable, Sendable {
    /// What is asked for, in a word or two, and of what.
    public let title: String
    /// What can be typed, for instance.
    public let hint: String
    /// What was typed so far.
    public internal(set) var field: TextField
    /// What becomes of it.
    let purpose: Purpose
    private let original: String

    /// What a text can be asked for.
    enum Purpose: Hashable, Sendable {
        /// To change something.
        case edit(AdminEdit)
        /// To show a range of history.
        case range
    }

    /// Asks for a text; `text` is what is there already.
    init(title: String, hint: String, text: String = "", purpose: Purpose) {
        self.title = title.harmless
        self.hint = hint.harmless
        self.purpose = purpose
        field = TextField(text)
        original = text
    }

    /// Whether what is there already was left as it is.
    var isUnchanged: Bool { field.text == original }

    /// A range of history.
    static let range = FieldPrompt(
        title: "Range",
        hint:
            "FROM, or FROM to TO: 2026-11-01 to 2026-11-08 is seven days. Also today, yesterday, 2026-11-01 14:00. "
            + "Enter shows it.",
        purpose: .range)
}
