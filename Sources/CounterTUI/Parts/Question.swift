import Linux

/// A question that needs a confirmation, before an action that one key alone must not trigger.
package struct Question: Hashable, Sendable {
    /// The action, in a word or two.
    package let title: String
    /// The name of what the action would change.
    package let subject: String
    /// The result of the action in a few words: shown first where there is no room for all paragraphs.
    package let gist: String
    /// The full text, including subject and gist, one element a paragraph.
    package let paragraphs: [String]
    /// The intent of a yes.
    package let yes: Intent

    /// A question. The texts may hold any characters: they are sanitised for the terminal.
    package init(title: String, subject: String, gist: String, paragraphs: [String], yes: Intent) {
        self.title = title.sanitised
        self.subject = subject.sanitised
        self.gist = gist.sanitised
        self.paragraphs = paragraphs.map(\.sanitised)
        self.yes = yes
    }

    /// The intent of a key while the question is shown; nil where the key has none.
    ///
    /// Enter and Escape mean no, because a no changes nothing.
    func intent(for event: TerminalEvent) -> Intent? {
        switch event {
        case .character("y"), .character("Y"): .answer(yes: true)
        case .character("n"), .character("N"), .key(.escape), .key(.enter): .answer(yes: false)
        case .key, .character, .pasted, .pasteCutOff, .click, .scroll, .resize, .focusGained, .focusLost,
            .volumeKey:
            nil
        }
    }
}
