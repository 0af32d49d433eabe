import CLinux
import Glibc
import Linux

/// The Linux virtual terminal that the program runs on, and whether it is in the foreground.
///
/// The kernel names the foreground terminal in `/sys/class/tty/tty0/active` and reports a change as POLLPRI: see
/// Documentation/ABI/testing/sysfs-tty.
final class VirtualTerminal {
    private static let major: UInt32 = 4
    private static let minors: ClosedRange<UInt32> = 1...63

    private let name: String
    private let active: Descriptor

    /// Finds the virtual terminal behind an open descriptor.
    ///
    /// The corresponding C function is `ioctl(2)` with TIOCGDEV, which resolves `/dev/tty` and `/dev/console`.
    ///
    /// - Returns: `nil` where the descriptor is another kind of terminal, or the kernel does not report the foreground
    ///   terminal.
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

    /// Whether the terminal is in the foreground now. False where that cannot be read: keys must not be intercepted if
    /// nothing reports when to stop.
    func isInForeground() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
            let count = pread(active.number, buffer.baseAddress, buffer.count, 0)
            return count > 0 && buffer[..<count].elementsEqual((name + "\n").utf8)
        }
    }
}
