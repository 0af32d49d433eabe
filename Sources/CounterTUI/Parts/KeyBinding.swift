/// A key of a screen: what it does, and how the key line and the help name it.
///
/// Each screen lists its keys once. What a typed key does, the key line, what a click on that does, and the help are all made
/// from the list.
struct KeyBinding {
    /// A key as the terminal reports it.
    enum Trigger: Hashable {
        case key(TerminalEvent.Key)
        case character(Character)
    }

    /// What stands on the key line, between brackets: `[U Undo]`.
    struct Label {
        /// What is typed.
        let key: String
        /// What follows it; left out where the line is narrow.
        let text: String
        /// The position on the line. Where not all keys fit, those of the highest rank are left out first.
        let rank: Int
        /// Whether the user may use it. A key that is off is shown in parentheses, and cannot be clicked.
        let isOn: Bool

        init(_ key: String, _ text: String = "", rank: Int, isOn: Bool = true) {
            self.key = key
            self.text = text
            self.rank = rank
            self.isOn = isOn
        }
    }

    let triggers: Set<Trigger>
    /// What it does; nil where it does nothing at the moment.
    let intent: Intent?
    /// nil where the key is not on the key line.
    let label: Label?
    /// A line of the help: keys, and what they do; nil where the line of another key tells of this one too.
    let help: (keys: String, meaning: String)?

    /// A key for `characters`, of which a letter stands for its capital too, and for `keys`, which have no character.
    init(
        _ characters: String = "", _ keys: TerminalEvent.Key..., does intent: Intent?, label: Label? = nil,
        help: (String, String)? = nil
    ) {
        let typed = (characters + characters.uppercased()).map(Trigger.character)
        triggers = Set(typed + keys.map(Trigger.key))
        self.intent = intent
        self.label = label
        self.help = help
    }
}

extension [KeyBinding] {
    /// What `event` means by the first key that it triggers; nil where it triggers none.
    func intent(for event: TerminalEvent) -> Intent? {
        guard let trigger = event.trigger else { return nil }
        return first { $0.triggers.contains(trigger) }?.intent
    }
}

extension TerminalEvent {
    fileprivate var trigger: KeyBinding.Trigger? {
        switch self {
        case .key(let key): .key(key)
        case .character(let character): .character(character)
        case .pasted, .volumeKey, .click, .scroll, .resize, .focusGained, .focusLost: nil
        }
    }
}
