import Glibc
import Testing

@testable import CounterTUI

/// Processes that end with the terminal in full-screen mode, each on a pseudo-terminal that this process examines
/// afterwards.
@Suite("Terminal guard") struct TerminalGuardTests {
    /// Stand for themselves among the signals of crashes.
    private static let stackOverflow: CInt = -1, exitWithoutClose: CInt = 0

    @Test(arguments: [
        SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, stackOverflow, exitWithoutClose,
    ])
    func howeverItEndsTheTerminalIsGivenBack(number: CInt) async throws {
        let device = try PseudoTerminal()
        let before = device.modes()
        let path = device.path
        let end: ExitTest.Condition =
            number == Self.exitWithoutClose
            ? .exitCode(3) : .signal(number == Self.stackOverflow ? SIGSEGV : number)
        await #expect(processExitsWith: end) { [path = path as String, number = number as CInt] in
            try withTerminal(path) {
                switch number {
                case Self.exitWithoutClose: exit(3)
                case Self.stackOverflow: _ = overflow(1)
                default: raise(number)
                }
            }
        }
        expectGivenBack(device, before)
    }

    private func expectGivenBack(_ device: PseudoTerminal, _ before: (UInt32, UInt32, UInt32)) {
        #expect(device.modes() == before)
        let output = device.output(until: "\u{1B}[?1049l")
        for sequence in ["[?1049h", "[?1049l", "[?1000l", "[?1004l", "[?25h", "[<u"] {
            #expect(output.contains("\u{1B}\(sequence)"))
        }
    }
}

private func withTerminal(_ path: String, _ body: () -> Void) throws {
    // The test library starts its children with SIGABRT blocked.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    let terminal = try Terminal(input: descriptor, output: descriptor, type: "xterm-256color")
    try terminal.present(Grid(size: terminal.size))
    body()
    terminal.close()
}

private func overflow(_ depth: Int) -> Int {
    depth == 0 ? 0 : overflow(depth + 1) + depth
}
