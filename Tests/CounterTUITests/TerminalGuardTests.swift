import Glibc
import Testing

@testable import CounterTUI

/// Processes that end with the terminal in full-screen mode, each on a pseudo-terminal that this process examines
/// afterwards.
@Suite("Terminal guard") struct TerminalGuardTests {
    /// The signals of crashes; -1 stands for a stack overflow, 0 for an exit without `close`.
    @Test(arguments: [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, -1, 0])
    func howeverItEndsTheTerminalIsGivenBack(number: CInt) async throws {
        let device = try PseudoTerminal()
        let before = device.modes()
        let path = device.path
        let end: ExitTest.Condition = number == 0 ? .exitCode(3) : .signal(number < 0 ? SIGSEGV : number)
        await #expect(processExitsWith: end) { [path = path as String, number = number as CInt] in
            try withTerminal(path) {
                switch number {
                case 0: exit(3)
                case -1: _ = overflow(1)
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
