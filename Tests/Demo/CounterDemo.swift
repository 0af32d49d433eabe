import Glibc
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
        TextOutput.error.write("counter-demo: \(text)\n")
        exit(status)
    }
}

/// An output whose text is written when the call returns, so that an interrupted demo has shown everything up to
/// then.
struct TextOutput {
    static let standard = TextOutput(descriptor: STDOUT_FILENO)
    static let error = TextOutput(descriptor: STDERR_FILENO)

    let descriptor: Int32

    /// Writes the whole text; stops if no process reads it any more.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let size = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if size < 0 && errno != EINTR { return }
            bytes = bytes.dropFirst(max(0, size))
        }
    }
}
