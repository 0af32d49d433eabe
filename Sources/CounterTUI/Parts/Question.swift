import System

/// What is asked before something is done that one key alone must not do.
public struct Question: Hashable, Sendable {
    /// What it is about, in a word or two.
    public let title: String
    /// The name of what would be another.
    public let subject: String
    /// What would be with a yes, in a few words: read first where there is no room for all.
    public let gist: String
    /// What there is to know, a paragraph each, the subject and the gist among it.
    public let paragraphs: [String]
    /// What a yes does.
    public let yes: Intent

    /// A question. The texts may hold anything: what is not plain text is made harmless.
    public init(title: String, subject: String, gist: String, paragraphs: [String], yes: Intent) {
        self.title = title.harmless
        self.subject = subject.harmless
        self.gist = gist.harmless
        self.paragraphs = paragraphs.map(\.harmless)
        self.yes = yes
    }

    /// What a key means to it on the screen that is shown; nil where it means nothing.
    ///
    /// Enter and Escape change nothing, so they are a no. Where there is no room for the question there is none for a yes.
    func intent(for event: TerminalEvent, on screen: Screen) -> Intent? {
        switch event {
        case .character("y"), .character("Y"):
            Screen.isNumberAlone(at: screen.grid.size) ? nil : .answer(yes: true)
        case .character("n"), .character("N"), .key(.escape), .key(.enter): .answer(yes: false)
        case .key, .character, .pasted, .click, .scroll, .resize, .focusGained, .focusLost, .volumeKey: nil
        }
    }
}
