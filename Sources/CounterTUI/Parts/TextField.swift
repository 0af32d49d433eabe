import CounterModel
import Linux

/// One line of editable text. It keeps exactly what was typed; characters that a terminal must not receive are sanitised
/// only for display.
///
/// Terminals send a composed character in parts: combining marks and joiners arrive as characters of their own. They are
/// appended to the character before the cursor.
package struct TextField: Hashable, Sendable {
    /// The maximum length in Unicode scalars: five for each character of a reason, the longest text that can be typed.
    static let capacity = 1000
    static let isFull = "there is no room for more"

    package private(set) var before: String
    /// The text from the cursor on.
    package private(set) var after = ""
    /// Why the text is invalid; nil before it is submitted, and again once it is edited.
    package var problem: String?

    package enum Outcome {
        /// The text or the cursor may have changed.
        case edited
        case refused
    }

    /// A field with `text` and the cursor at its end.
    package init(_ text: String = "") { before = text }

    package var text: String { before + after }

    /// Handles characters, arrows, Home, End, Backspace, Delete, Ctrl-U, and pasted text; nil for other events.
    package mutating func edit(_ event: TerminalEvent) -> Outcome? {
        switch event {
        case .key(let key): guard move(key) else { return nil }
        case .character("\u{7F}"), .character("\u{8}"): _ = before.popLast()
        case .character("\u{15}"): self = TextField()
        case .character(let character): return character.isControl ? nil : insert(character)
        case .pasted(let text): return paste(text)
        case .click, .pasteCutOff, .focusGained, .focusLost, .volumeKey, .scroll: return nil
        }
        problem = nil
        return .edited
    }

    private mutating func move(_ key: TerminalEvent.Key) -> Bool {
        switch key {
        case .left: if let last = before.popLast() { after = String(last) + after }
        case .right: if !after.isEmpty { before.append(after.removeFirst()) }
        case .home: (before, after) = ("", text)
        case .end: (before, after) = (text, "")
        case .delete: if !after.isEmpty { after.removeFirst() }
        case .up, .down, .pageUp, .pageDown, .tab, .backTab, .enter, .escape: return false
        }
        return true
    }

    private mutating func insert(_ character: Character) -> Outcome {
        let scalars = before.unicodeScalars.count + after.unicodeScalars.count
        guard scalars + character.unicodeScalars.count <= Self.capacity else {
            problem = Self.isFull
            return .refused
        }
        before.append(character)
        problem = nil
        return .edited
    }

    // The field has one line: line ends become spaces.
    private mutating func paste(_ text: String) -> Outcome {
        for character in text {
            let isSpace = character.isNewline || character == "\t"
            if !isSpace && character.isControl { continue }
            if insert(isSpace ? " " : character) == .refused { return .refused }
        }
        return .edited
    }
}

extension Character {
    /// Whether the first scalar is a control character; no text may contain one.
    fileprivate var isControl: Bool {
        unicodeScalars.first?.properties.generalCategory == .control
    }
}

/// A prompt for one line of text. It stays open until the text is accepted, or Escape closes it.
package struct FieldPrompt {
    /// What to type, and its subject, in a word or two.
    let title: String
    /// An example of a valid text.
    let hint: String
    package internal(set) var field: TextField
    /// The location that the text changes: where that is hidden meanwhile, nothing is changed.
    let locationId: Identifier?
    /// The present value, with which the field starts, so that an unedited text closes it and changes nothing; nil for none.
    let unchanged: String?
    /// What Escape does with the text, in one of several fields; nil where it closes the field.
    let back: ((String) -> Void)?
    /// Takes the text. What accepts it closes the field; a problem is a sentence without its full stop, which the open field
    /// shows.
    let submit: (String) throws(FieldProblem) -> Void

    /// What is shown where the location has been hidden meanwhile. The field stays open: if it closed, the text that the user
    /// goes on typing would act as commands.
    static let gone = "this location is no longer shown, so nothing is changed. Escape leaves"

    init(
        title: String, hint: String, text: String = "", of locationId: Identifier? = nil,
        closesUnchanged: Bool = false, back: ((String) -> Void)? = nil,
        submit: @escaping (String) throws(FieldProblem) -> Void
    ) {
        self.title = title.sanitised
        self.hint = hint.sanitised
        (self.locationId, self.back, self.submit) = (locationId, back, submit)
        field = TextField(text)
        unchanged = closesUnchanged ? text : nil
    }
}

struct FieldView {
    let prompt: FieldPrompt
    let context: ScreenContext
    let theme: Theme

    private var field: TextField { prompt.field }

    func draw(into frame: inout Frame) {
        let problem = context.problem(of: prompt)
        OverlayView(
            title: prompt.title, context: context, theme: theme,
            escape: prompt.back == nil ? "Esc closes" : "Esc goes back"
        ).draw(into: &frame) { columns in
            [line(columns: columns), []]
                + (problem ?? "").wrapped(to: columns).map { [Span($0, theme[.notice])] }
                + prompt.hint.wrapped(to: columns).map { [Span($0, theme[.quiet])] }
        }
    }

    /// The part of the text around the cursor. The cursor is a cell in reverse video.
    private func line(columns: Int) -> [Span] {
        let after = field.after.sanitised
        return [
            Span(field.before.sanitised.end(columns: columns - 2), theme[.caption]),
            Span(after.first.map(String.init) ?? " ", theme[.selectedTab]),
            Span(String(after.dropFirst()), theme[.caption]),
        ]
        .truncated(to: columns, ellipsis: theme.ellipsis)
    }
}
