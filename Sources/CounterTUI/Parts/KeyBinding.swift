/// A key of a screen: its action, and its label and help text.
///
/// Each screen lists its keys once. The dispatch of typed keys, the key line, its clicks and the help are all made from
/// this list.
struct KeyBinding {
    /// The label on the key line, in brackets: `[U Undo]`.
    struct Label {
        /// The key's name.
        let key: String
        /// The text after it; left out where the line is narrow.
        let text: String
        /// The position on the line. Where not all keys fit, those with the highest rank are left out first.
        let rank: Int
        /// Whether the user may use the key. A disabled key is shown in parentheses and cannot be clicked.
        let isOn: Bool

        init(_ key: String, _ text: String = "", rank: Int, isOn: Bool = true) {
            self.key = key
            self.text = text
            self.rank = rank
            self.isOn = isOn
        }
    }

    fileprivate let characters: String
    private let isExact: Bool
    fileprivate let keys: [TerminalEvent.Key]
    /// The key's action; nil where it has none at the moment.
    let intent: Intent?
    /// nil where the key is not on the key line.
    let label: Label?
    /// The key's line in the help: its names and its meaning; nil where another key's line covers it.
    let help: (keys: String, meaning: String)?

    /// Binds `characters`, where a small letter includes its capital, and `keys` that produce no character.
    init(
        _ characters: String = "", _ keys: TerminalEvent.Key..., does intent: Intent?, label: Label? = nil,
        help: (String, String)? = nil
    ) {
        self.characters = characters
        isExact = false
        self.keys = keys
        self.intent = intent
        self.label = label
        self.help = help
    }

    /// Binds one character, which does not include its capital or its small letter.
    init(exactly character: Character, does intent: Intent?, help: (String, String)? = nil) {
        characters = String(character)
        isExact = true
        keys = []
        self.intent = intent
        label = nil
        self.help = help
    }

    /// Whether a typed character triggers it; `small` is the same character as a small letter.
    fileprivate func includes(_ character: Character, small: Character) -> Bool {
        isExact ? characters.first == character : characters.contains(small)
    }
}

extension [KeyBinding] {
    /// All characters that are bound, in small letters.
    var characters: Set<Character> {
        reduce(into: []) { $0.formUnion($1.characters.lowercased()) }
    }

    /// The intent of the first key that `event` triggers; nil where it triggers none.
    func intent(for event: TerminalEvent) -> Intent? {
        switch event {
        case .key(let key): return first { $0.keys.contains(key) }?.intent
        case .character(let character):
            let small = character.lowercased().first ?? character
            return first { $0.includes(character, small: small) }?.intent
        case .pasted, .pasteCutOff, .volumeKey, .click, .scroll, .resize, .focusGained, .focusLost: return nil
        }
    }
}
