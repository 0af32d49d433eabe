import Glibc
import Linux
import TestSupport

/// `counter-demo [--narrate] SOCKET PANE`: plays the demo on the program that runs in a pane of tmux; see `run`.
///
/// Exit codes: 0 all as expected, 1 not as expected, 64 usage.
@main
struct CounterDemo {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let isNarrated = arguments.first == "--narrate"
        if isNarrated { arguments.removeFirst() }
        guard arguments.count == 2 else {
            fail("expected [--narrate] SOCKET PANE; start Tests/Demo/run", EX_USAGE)
        }
        do {
            let narrator = isNarrated ? try Narrator(socket: arguments[0], pane: arguments[1]) : nil
            let terminal = TerminalSession(pane: arguments[1], socket: arguments[0])
            exit(try Director(terminal, narrator: narrator).run() ? 0 : 1)
        } catch {
            fail("\(error)", 1)
        }
    }

    private static func fail(_ text: String, _ status: Int32) -> Never {
        try? Output.write("counter-demo: \(text)\n", to: STDERR_FILENO)
        exit(status)
    }
}
