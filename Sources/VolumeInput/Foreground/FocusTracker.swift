import CLinux
import Glibc
package import KeyProtocol
package import Linux

/// Follows everything that reports whether the program is in the foreground, and decides the capture mode from it.
package final class FocusTracker {
    /// How long tmux may take to answer a request for its focus state, on the slowest machine.
    private static let answerTimeout = Duration.seconds(2)

    package private(set) var policy: CapturePolicy
    private let console: VirtualTerminal?
    private let seat = LoginSeat()
    /// When the terminal was last asked to report its focus.
    private var asked = MonotonicTime.now

    /// Follows the seat alone, for a program without a terminal.
    package convenience init(_ policy: CapturePolicy) { self.init(policy, console: nil) }

    private init(_ policy: CapturePolicy, console: VirtualTerminal?) {
        self.policy = policy
        self.console = console
        update()
    }

    /// Follows whatever reports the foreground state of a terminal. `always`: count while it is in the background too.
    package convenience init(terminal: CInt, reportsFocus: Bool, intercept: Intercept, always: Bool) {
        let console = VirtualTerminal(terminal: terminal)
        let focusSource: CapturePolicy.FocusSource =
            if console != nil {
                .kernel
            } else if Self.isMultiplexed {
                .multiplexer
            } else {
                reportsFocus ? .focusReports : .nothing
            }
        self.init(
            CapturePolicy(intercept: intercept, always: always, focusSource: focusSource), console: console)
    }

    /// tmux and screen set an environment variable; over SSH only the terminal's type names them.
    private static var isMultiplexed: Bool {
        let type = environmentVariable("TERM") ?? ""
        return ["TMUX", "STY"].contains { environmentVariable($0)?.isEmpty == false }
            || ["screen", "tmux"].contains { type.hasPrefix($0) }
    }

    package var captureMode: CaptureMode { policy.captureMode }

    package func watch(_ polled: inout PollSet) {
        if let console { polled.add(console.number, CInt(POLLPRI)) }
        if let seat { polled.add(seat.number) }
    }

    /// Reads the present state where a descriptor became readable; the capture mode may have changed then.
    package func handle(_ polled: PollSet) -> Bool {
        guard [console?.number, seat?.number].contains(where: { $0.map(polled.isReady) ?? false }) else {
            return false
        }
        update()
        return true
    }

    /// Reads the present state, and expects the focus report of a terminal that was just asked for it.
    package func resume() {
        asked = .now
        update()
    }

    private func update() {
        if let console { policy.focus = console.isInForeground() ? .gained : .lost }
        if let seat { policy.seat = seat.front() }
    }

    /// Handles a focus report of the terminal.
    ///
    /// Without `focus-events`, tmux reports only clients that attach and detach, not changes of its own windows. A report
    /// therefore counts only if tmux answers a request at once.
    package func focus(_ focus: CapturePolicy.Focus) {
        if policy.isBlind, .now > asked + Self.answerTimeout { return }
        policy.focus = focus
    }

    /// Switches capture off until the next call.
    package func toggle() { policy.isSwitchedOff.toggle() }
}

/// Whose session is active at the machine's seat, as reported by systemd-logind. Fast user switching hides a desktop, but
/// its terminals get no report that they lost the focus.
///
/// Without logind, over SSH and in a system service there is no seat, and nothing is known.
package final class LoginSeat {
    enum Front {
        case own
        /// Another session of the same user, or none.
        case other
        /// Another user's session: its user owns the machine's keys now.
        case otherUser
    }

    private let session: String
    private let user: String
    private let path: String
    private let watch: DirectoryWatch

    /// Opens the seat of the program's session; `nil` without one. That is the session of XDG_SESSION_ID; for terminals
    /// that the user's service manager started, it is the session that logind names as the user's display.
    package init?() {
        let display = LoginRecord("users/\(getuid())")?["DISPLAY"]
        for case let id? in [environmentVariable("XDG_SESSION_ID"), display]
        where !id.contains(where: { $0 == "/" }) {
            guard let record = LoginRecord("sessions/\(id)"), let seat = record["SEAT"],
                let user = record["UID"],
                let watch = LoginRecord.watchSeats()
            else { continue }
            (session, self.user, path, self.watch) = (id, user, "seats/\(seat)", watch)
            return
        }
        return nil
    }

    var number: CInt { watch.number }

    /// Whose session is active now; `.other` where the seat cannot be read or no session is active.
    func front() -> Front {
        _ = watch.drain()
        guard let seat = LoginRecord(path) else { return .other }
        if seat["ACTIVE"] == session { return .own }
        return seat["ACTIVE_UID"].map { $0 == user } ?? true ? .other : .otherUser
    }
}

/// The Linux virtual terminal that the program runs on, and whether it is in the foreground.
///
/// `/sys/class/tty/tty0/active` names the foreground terminal, and reports a change as POLLPRI: see the kernel's
/// Documentation/ABI/testing/sysfs-tty.
final class VirtualTerminal {
    private static let major: UInt32 = 4
    private static let minors: ClosedRange<UInt32> = 1...63

    private let name: String
    private let active: Descriptor

    /// `ioctl(2)` with TIOCGDEV, which resolves `/dev/tty` and `/dev/console`. `nil` where the descriptor is another
    /// kind of terminal, or the kernel does not report the foreground terminal.
    init?(terminal: CInt) {
        var (major, minor): (UInt32, UInt32) = (0, 0)
        guard clinux_terminal_device(terminal, &major, &minor) == 0, major == Self.major,
            Self.minors.contains(minor)
        else { return nil }
        name = "tty\(minor)"
        do throws(SystemCallError) {
            active = try Descriptor(opening: "/sys/class/tty/tty0/active", flags: O_RDONLY)
        } catch { return nil }
    }

    /// The descriptor to poll for POLLPRI. The kernel reports a change only after the present state has been read.
    var number: CInt { active.number }

    /// False where it cannot be read: keys must not be intercepted if nothing reports when to stop.
    func isInForeground() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
            let count = pread(active.number, buffer.baseAddress, buffer.count, 0)
            return count > 0 && buffer[..<count].elementsEqual((name + "\n").utf8)
        }
    }
}
