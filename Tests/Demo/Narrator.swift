import Glibc
import Linux
import TestSupport

/// Shows what happens, slowly enough to be read, on a terminal of four lines below the program's.
///
/// ```
///  3/8  Both keys together reset
///  pressed   volume up and down together on a Bluetooth remote
///  expected  Count 0, reset; show 0; another reader saw nothing
///  actual    Count 0, reset; show 0; another reader saw nothing                 passed
/// ```
final class Narrator {
    private static let toReadFirst = Duration.milliseconds(1000)
    private static let toReadAfter = Duration.milliseconds(1600)

    private let terminal: Int32
    private let socket: String
    private let pane: String

    init(socket: String, pane: String) throws(SupportError) {
        (self.socket, self.pane) = (socket, pane)
        terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC)
        guard terminal >= 0 else { throw .system(call: "open", subject: "/dev/tty", errno: errno) }
        // No cursor, and long lines are cut off.
        show("\u{1B}[?25l\u{1B}[?7l")
        tell(["The program is starting …"])
    }

    deinit { close(terminal) }

    /// Shows what is pressed next and what is expected.
    func announce(_ scene: Scene, number: Int, of total: Int, expected: String) {
        tell([
            "\(bold("\(number)/\(total)  \(scene.title)"))", "pressed   \(scene.pressed)",
            "expected  \(expected)",
        ])
        pause(Self.toReadFirst)
    }

    /// Shows the result.
    func report(_ outcome: Outcome) {
        let colour = outcome.isPassed ? 35 : 160
        show("\u{1B}[4;1H actual    \(outcome.actual)  ")
        show("\u{1B}[38;5;\(colour);1m\(outcome.verdict)\u{1B}[m\u{1B}[K")
        pause(Self.toReadAfter)
    }

    /// Hands the keyboard over to the user, and says so.
    func handOver() throws {
        tell([
            bold("Your turn"), "+ and - count, r resets, u undoes, d tells of the devices, ? helps",
            "\(bold("q")) leaves, and the keys go back to the system",
        ])
        let tmux = ["tmux", "-S", socket]
        _ = try ChildProcess.run(
            tmux + ["unbind-key", "-n", "q", ";", "unbind-key", "-n", "C-c", ";", "select-pane", "-t", pane])
    }

    private func tell(_ lines: [String]) {
        show("\u{1B}[H\u{1B}[2J " + lines.joined(separator: "\r\n "))
    }

    private func show(_ text: String) { try? Output.write(text, to: terminal) }

    private func bold(_ text: String) -> String { "\u{1B}[1m\(text)\u{1B}[m" }
}
