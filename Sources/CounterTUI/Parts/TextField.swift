/// One line of text that is being typed: exactly what was typed, also what can only be shown in a harmless form.
///
/// Terminals send a character in pieces: its marks, and what joins it to the next, come as characters of their own. They
/// join here what stands before the cursor.
public struct TextField: Hashable, Sendable {
    /// The most it takes, in Unicode scalars: five for each character of a reason, the longest text that is asked for.
    static let capacity = 1000
    /// What is said of what has no room.
    static let isFull = "there is no room for more"

    /// What was typed so far, before the cursor.
    public private(set) var before: String
    /// The same from the cursor on.
    public private(set) var after = ""
    /// Why the text cannot be taken; nil until somebody tried, and once it is edited again.
    public var problem: String?

    /// What became of an event.
    enum Outcome {
        /// The text or the cursor is another, or could be no other.
        case edited
        /// There was no room for it.
        case refused
    }

    /// A field with `text`, ready to type behind it.
    public init(_ text: String = "") { before = text }

    /// What was typed so far.
    public var text: String { before + after }

    /// Edits it: characters, arrows, Home, End, Backspace, Delete, Ctrl-U, and what is pasted.
    ///
    /// - returns: nil where `event` means nothing to a field.
    mutating func edit(_ event: TerminalEvent) -> Outcome? {
        switch event {
        case .key(let key): guard move(key) else { return nil }
        case .character("\u{7F}"), .character("\u{8}"): _ = before.popLast()
        case .character("\u{15}"): self = TextField()
        case .character(let character): return character.isControl ? nil : insert(character)
        case .pasted(let character): return paste(character)
        case .click, .resize, .focusGained, .focusLost, .volumeKey, .scroll: return nil
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

    // It is one line: the ends of lines are blanks.
    private mutating func paste(_ character: Character) -> Outcome {
        if character.isNewline || character == "\t" { return insert(" ") }
        return character.isControl ? .edited : insert(character)
    }
}

extension Character {
    /// Whether it is, or begins with, a control character, which no text has.
    fileprivate var isControl: Bool {
        unicodeScalars.first?.properties.generalCategory == .control
    }
}
