import Linux

/// The notifications that a terminal shows itself, on the machine where its window is: OSC 777 and OSC 9.
///
/// | terminal | understands |
/// |---|---|
/// | kitty, foot, WezTerm, Ghostty | 777 (title and text), 9 (text) |
/// | iTerm2 | 9 |
/// | tmux | neither; with `allow-passthrough on` it passes on what is wrapped. Its own terminal is unknown, so 9 |
/// | others | neither, as far as is known |
///
/// Which one it is the terminal is asked with the first notification (XTVERSION); where it does not answer, `TERM_PROGRAM` tells.
struct TerminalNotifier {
    private enum Form {
        case titled, untitled, passedOn, none
    }

    private enum State {
        case unknown
        case asking(until: MonotonicTime)
        case known(Form)
    }

    /// How long an answer may take over a slow connection.
    private static let answerTimeout = Duration.seconds(2)
    /// Asks for name and version. See XTVERSION in <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>.
    private static let question = "\u{1B}[>q"

    private var state: State
    private var waiting: [(title: String, text: String)] = []
    private let program: String

    /// A terminal that is no window, by its type, shows nothing. `program` is the value of `TERM_PROGRAM`.
    init(isWindow: Bool, program: String) {
        state = isWindow ? .unknown : .known(.none)
        self.program = program
    }

    /// When `bytes(version:at:)` is due though the terminal has sent nothing; nil at rest.
    var deadline: MonotonicTime? {
        if case .asking(let until) = state { until } else { nil }
    }

    /// What to send to the terminal for a notification; it may be asked first.
    mutating func notify(title: String, text: String, at now: MonotonicTime) -> String {
        waiting.append((title, text))
        switch state {
        case .unknown:
            state = .asking(until: now + Self.answerTimeout)
            return Self.question
        case .asking: return ""
        case .known(let form): return send(form)
        }
    }

    /// What to send to the terminal once it has reported its version, if it was asked, or has not done so in time.
    mutating func bytes(version: String?, at now: MonotonicTime) -> String {
        guard case .asking(let until) = state, version != nil || now >= until else { return "" }
        let form = Self.form(of: version ?? program)
        state = .known(form)
        return send(form)
    }

    private static func form(of name: String) -> Form {
        let name = name.lowercased()
        if ["kitty", "foot", "wezterm", "ghostty"].contains(where: name.hasPrefix) { return .titled }
        if name.hasPrefix("iterm") { return .untitled }
        return name.hasPrefix("tmux") ? .passedOn : .none
    }

    private mutating func send(_ form: Form) -> String {
        defer { waiting = [] }
        return waiting.map { Self.sequence($0.title, $0.text, form) }.joined()
    }

    private static func sequence(_ title: String, _ text: String, _ form: Form) -> String {
        // A semicolon would end the title.
        let title = title.sanitised.replacing(";", with: ",")
        let text = text.sanitised
        // A text that begins with a number and a semicolon would be a command of ConEmu's.
        let untitled = "\u{1B}]9;Time is up: \(title), \(text)\u{7}"
        switch form {
        case .titled: return "\u{1B}]777;notify;\(title);\(text)\u{7}"
        case .untitled: return untitled
        case .passedOn:
            return "\u{1B}Ptmux;" + untitled.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
        case .none: return ""
        }
    }
}
