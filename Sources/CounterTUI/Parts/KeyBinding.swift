import Linux

/// A key of a screen: its action, and its label and help text.
///
/// Each screen lists its keys once. The dispatch of typed keys, the key line, its clicks and the help are all made from
/// this list.
package struct KeyBinding {
    /// The label on the key line, in brackets: `[U Undo]`.
    package struct Label {
        let key: String
        /// The text after the key; left out where the line is narrow.
        let text: String
        /// The position on the line. Where not all keys fit, those with the highest rank are left out first.
        let rank: Int
        /// Whether the user may use the key. A disabled key is shown in parentheses and cannot be clicked.
        let isOn: Bool

        init(_ key: String, _ text: String = "", rank: Int, isOn: Bool = true) {
            (self.key, self.text, self.rank, self.isOn) = (key, text, rank, isOn)
        }
    }

    fileprivate let characters: String
    private let isExact: Bool
    fileprivate let keys: [TerminalEvent.Key]
    /// nil where the key is not on the key line.
    let label: Label?
    /// The key's line in the help: its names and its meaning; nil where another key's line covers it.
    let help: (keys: String, meaning: String)?
    /// Whether it means nothing where no screen is drawn: with `--plain`, and on a terminal with room for the number alone.
    let needsScreen: Bool
    /// nil where the key does nothing at the moment.
    let action: Action?

    /// Binds `characters`, where a small letter includes its capital, and `keys` that produce no character.
    /// `isExact`: a letter does not include its capital or its small letter.
    package init(
        _ characters: String, _ keys: TerminalEvent.Key..., isExact: Bool = false, label: Label? = nil,
        help: (String, String)? = nil, needsScreen: Bool = false, does action: Action?
    ) {
        (self.characters, self.isExact, self.keys, self.label) = (characters, isExact, keys, label)
        (self.help, self.needsScreen, self.action) = (help, needsScreen, action)
    }

    /// Whether a typed character triggers it; `small` is the same character as a small letter.
    fileprivate func includes(_ character: Character, small: Character) -> Bool {
        isExact ? characters.first == character : characters.contains(small)
    }
}

extension [KeyBinding] {
    /// `u` and `U`: undo and redo; at nil in the location that is shown.
    static func undo(
        _ label: KeyBinding.Label, _ context: ScreenContext, at id: Identifier?
    ) -> [KeyBinding] {
        [
            KeyBinding("U", isExact: true) { context.program?.redo(at: id) },
            KeyBinding("u", label: label, help: ("U", "take back your last change, Shift: bring it back")) {
                context.program?.undo(at: id)
            },
        ]
    }

    /// All characters that are bound, in small letters.
    var characters: Set<Character> {
        reduce(into: []) { $0.formUnion($1.characters.lowercased()) }
    }

    /// The action of the first key that `event` triggers; nil where it triggers none.
    package func action(for event: TerminalEvent) -> Action? {
        switch event {
        case .key(let key): return first { $0.keys.contains(key) }?.action
        case .character(let character):
            let small = character.lowercased().first ?? character
            return first { $0.includes(character, small: small) }?.action
        case .pasted, .pasteCutOff, .volumeKey, .click, .scroll, .focusGained, .focusLost: return nil
        }
    }
}

/// The keys at the bottom, which can be typed and clicked: the tab's own keys at the left, the common keys at the right.
struct KeyLine {
    private let keys: [KeyBinding]
    private let common: [KeyBinding]
    /// What stands before the keys, where there is room.
    private let note: [Span]
    private let theme: Theme

    init(_ keys: [KeyBinding], common: [KeyBinding], note: String? = nil, theme: Theme) {
        self.note = note.map { [Span($0 + " ", theme[.notice])] } ?? []
        self.keys = Self.labelled(keys)
        self.common = Self.labelled(common)
        self.theme = theme
    }

    /// The key line. Where not all fits, the common keys lose their words first, then the tab's own, those with the highest rank
    /// first. Keys that do not fit at all are left out; they still work, and the help lists them.
    func line(columns: Int) -> Line {
        let named = (0...keys.count).reversed()
        let forms = [(keys.count, common.count, " ")] + named.map { ($0, 0, " ") } + [(0, 0, "")]
        for (own, shared, separator) in forms {
            let left = note + row(keys, named: own, separator)
            let right = row(common, named: shared, separator)
            if left.columns + 1 + right.columns <= columns - 2 { return .justified(left, right) }
        }
        let right = row(common, named: 0, "")
        let shorter = (0...keys.count).reversed().map { row(Array(keys.prefix($0)), named: 0, "") }
        return .justified(shorter.first { $0.columns + right.columns <= columns - 2 } ?? [], right)
    }

    private static func labelled(_ keys: [KeyBinding]) -> [KeyBinding] {
        keys.filter { $0.label != nil }.sorted { ($0.label?.rank ?? 0) < ($1.label?.rank ?? 0) }
    }

    /// The keys, of which the first `named` have words.
    private func row(_ keys: [KeyBinding], named: Int, _ separator: String) -> [Span] {
        Array(
            keys.enumerated().map { spans($1, hasText: $0 < named) }
                .joined(separator: separator.isEmpty ? [] : [Span(separator)]))
    }

    // Colour must not be the only sign, so a disabled key is in parentheses.
    private func spans(_ key: KeyBinding, hasText: Bool) -> [Span] {
        guard let label = key.label else { return [] }
        let text = hasText ? label.text : ""
        guard label.isOn, let action = key.action else {
            return [Span("(\(label.key)\(text))", theme[.quiet])]
        }
        return .button(label.key, text, theme, does: action)
    }
}

extension [Span] {
    /// `[U Undo]`. The brackets can be clicked too, because they look like part of a button.
    static func button(_ key: String, _ text: String, _ theme: Theme, does action: @escaping Action) -> [Span]
    {
        [
            Span("[", theme[.label], action), Span(key, theme[.key], action),
            Span(text + "]", theme[.label], action),
        ]
    }
}
