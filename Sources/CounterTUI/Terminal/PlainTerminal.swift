import CLinux
import Glibc
package import Linux

/// The terminal as a screen reader likes it: it gets whole lines and nothing else, no control sequence and no cursor
/// movement. Keys are read one by one, and are not echoed.
///
/// The crash guard restores the terminal's modes; see `Terminal`.
package final class PlainTerminal {
    private var input: TerminalInput
    private var output: OutputQueue
    private var isSuspended = false
    private var isOpen = true

    package var inputDescriptor: CInt { input.descriptor }
    package var outputDescriptor: CInt { output.number }
    package var deadline: MonotonicTime? { input.deadline }

    /// Takes the terminal at these descriptors. Throws `noTerminal` or `failed`; the terminal is then unchanged.
    package init(input: CInt = 0, output: CInt = 1) throws(TerminalError) {
        for descriptor in [input, output] where isatty(descriptor) != 1 {
            throw .noTerminal(descriptor: descriptor)
        }
        self.input = TerminalInput(descriptor: input, keys: .none)
        self.output = try OutputQueue(to: output)
        guard clinux_guard_arm(self.output.number, "", 0) == 0 else {
            throw .failed("cannot save the terminal's modes", errno: errno)
        }
        clinux_guard_take()
    }

    deinit { close() }

    /// Adds a line; `flush` sends it.
    package func write(line: String) {
        // The guard has switched off that a line feed begins a line.
        if !isSuspended { output.append("\(line.sanitised)\r\n".utf8) }
    }

    package func bell() { if !isSuspended { output.append([7]) } }

    /// Sends what the terminal takes; returns whether nothing waits any more. Throws `hungUp`, or `failed`.
    package func flush() throws(TerminalError) -> Bool { try output.flush() }

    /// The events since the last call, without waiting for more. Throws `hungUp` when the terminal is gone.
    package func events(at now: MonotonicTime = .now) throws(TerminalError) -> [TerminalEvent] {
        isSuspended ? [] : try input.events(at: now)
    }

    package func suspend() {
        guard isOpen, !isSuspended else { return }
        isSuspended = true
        clinux_guard_restore()
    }

    package func resume() {
        guard isOpen, isSuspended else { return }
        isSuspended = false
        clinux_guard_take()
    }

    /// Sets the terminal's modes again, after a stop that `suspend` could not precede (SIGSTOP).
    package func continued() { if !isSuspended { clinux_guard_take_again() } }

    package func close() {
        suspend()
        if isOpen { clinux_guard_disarm() }
        isOpen = false
    }
}
