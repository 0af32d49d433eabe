import CLinux
import Glibc
package import Linux

/// A terminal whose modes the crash guard (`terminal_guard.c`) sets, and restores when it is closed, and after a crash.
///
/// Use one at a time in a process, from one thread. It handles no signals: the main loop receives them and calls
/// `suspend`, `resume`, `continued`.
package class GuardedTerminal {
    private enum State {
        case taken, suspended, closed
    }

    final var input: TerminalInput
    final var output: OutputQueue
    private final var state = State.suspended

    package var inputDescriptor: CInt { input.descriptor }
    package var outputDescriptor: CInt { output.number }
    final var isSuspended: Bool { state != .taken }

    /// The terminal at these descriptors, unchanged until `take`; `leave` is sent when it is restored. Throws `failed`.
    init(input: CInt, output: CInt, keys: KeyDefinitions, leave: String) throws(TerminalError) {
        self.input = TerminalInput(descriptor: input, keys: keys)
        self.output = try OutputQueue(to: output)
        guard clinux_guard_arm(self.output.number, leave, leave.utf8.count) == 0 else {
            throw .failed("cannot save the terminal's modes", errno: errno)
        }
    }

    deinit { close() }

    /// Throws `noTerminal` where one of the descriptors is none.
    package static func require(_ descriptors: CInt...) throws(TerminalError) {
        for descriptor in descriptors where isatty(descriptor) != 1 {
            throw .noTerminal(descriptor: descriptor)
        }
    }

    func take() {
        state = .taken
        clinux_guard_take()
    }

    /// Restores the terminal for a while, before SIGSTOP. Does nothing if it is restored already. If the terminal takes no
    /// output for 0.2 s, it loses what it has not shown.
    package func suspend() {
        guard state == .taken else { return }
        state = .suspended
        clinux_guard_restore()
    }

    package func resume() { if state == .suspended { take() } }

    /// Sets the terminal's modes again, after a stop that `suspend` could not precede (SIGSTOP).
    package func continued() { if !isSuspended { clinux_guard_take_again() } }

    /// Restores the terminal, for good. May be called twice.
    package func close() {
        suspend()
        if state != .closed { clinux_guard_disarm() }
        state = .closed
    }
}

/// The terminal as a screen reader likes it: it gets whole lines and nothing else, no control sequence and no cursor
/// movement. Keys are read one by one, and are not echoed.
package final class PlainTerminal: GuardedTerminal {
    package var deadline: MonotonicTime? { input.deadline }

    /// Takes the terminal at standard input and output. Throws `failed`; the terminal is then unchanged.
    package init() throws(TerminalError) {
        try super.init(input: STDIN_FILENO, output: STDOUT_FILENO, keys: .none, leave: "")
        take()
    }

    /// Adds a line; `flush` sends it.
    package func write(line: String) {
        // The guard has switched off that a line feed begins a line.
        if !isSuspended { output.append("\(line.sanitised)\r\n".utf8) }
    }

    package func bell() { if !isSuspended { output.append([7]) } }

    /// Sends what the terminal takes; returns whether nothing waits any more. Throws `hungUp`, or `failed`.
    package func flush() throws(TerminalError) -> Bool { try output.flush() }

    /// The events since the last call, without waiting for more. Throws `hungUp` when the terminal is gone.
    package func events(at now: MonotonicTime) throws(TerminalError) -> [TerminalEvent] {
        isSuspended ? [] : try input.events(at: now)
    }
}
