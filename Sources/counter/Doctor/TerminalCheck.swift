import CounterTUI
import Glibc
import Linux
import Reports

/// Checks the terminal: whether it can show the screens, with which characters, and whether it reports its focus.
struct TerminalCheck {
    let settings: Settings

    /// The problems found.
    var findings: [Finding] { screen + locale + (settings.always ? [] : multiplexer) }

    /// Only a terminal can lack what the screens need; a pipe or a file is not checked.
    private var screen: [Finding] {
        guard isatty(STDOUT_FILENO) == 1 else { return [] }
        do {
            try Terminal.check()
            return []
        } catch {
            return [Finding(error, remedy: "Set TERM to what the terminal is, such as xterm-256color.")]
        }
    }

    private var locale: [Finding] {
        guard String(cString: nl_langinfo(CInt(CODESET))) != "UTF-8" else { return [] }
        let wish = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environmentVariable).first { !$0.isEmpty }
        if let wish, wish.lowercased().replacing("-", with: "").hasSuffix("utf8") {
            return [
                Finding(
                    "the locale \(wish.sanitised) is not installed here, so the digits are plain",
                    remedy:
                        "Install it (locale-gen, or your system's language settings), or set LANG=C.UTF-8.")
            ]
        }
        return [
            Finding(
                "the locale has no UTF-8, so the digits are plain",
                remedy: "Set LANG to a locale with UTF-8, such as C.UTF-8.")
        ]
    }

    /// Only the terminal knows whether it has the focus, and tmux or screen runs between it and the program.
    private var multiplexer: [Finding] {
        if Self.isSet("TMUX") { return Self.tmuxPassesFocus ? [] : [Self.tmux] }
        return Self.isSet("STY") ? [Self.gnuScreen] : []
    }

    private static let tmux = Finding(
        "tmux does not report when it is in the foreground, so the keys are not intercepted in it",
        remedy: "tmux set -g focus-events on, and the same line in ~/.tmux.conf; or counter --always")
    private static let gnuScreen = Finding(
        "screen does not report when it is in the foreground, so the keys are not intercepted in it",
        remedy: "Start it with counter --always, or in another terminal.")

    private static func isSet(_ variable: String) -> Bool { environmentVariable(variable)?.isEmpty == false }

    /// Whether tmux passes focus reports on. Asks tmux; where it does not answer, nothing is reported.
    private static var tmuxPassesFocus: Bool {
        shellOutput(of: "tmux show-options -gv focus-events 2>/dev/null").first != "off"
    }
}
