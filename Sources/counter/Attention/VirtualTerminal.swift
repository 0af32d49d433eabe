import CLinux
import Glibc
import System

/// The Linux virtual terminal that the program runs on, and whether it is the one in front.
///
/// The kernel names the one in front in `/sys/class/tty/tty0/active`, and tells of a change by POLLPRI: see
/// Documentation/ABI/testing/sysfs-tty.
final class VirtualTerminal {
    private static let major: UInt32 = 4
    private static let minors: ClosedRange<UInt32> = 1...63

    private let name: String
    private let active: Descriptor

    /// The virtual terminal at an open descriptor.
    ///
    /// The corresponding C function is `ioctl(2)` with TIOCGDEV, which sees through `/dev/tty` and `/dev/console`.
    ///
    /// - Returns: `nil` where that is another kind of terminal, or the kernel does not tell which one is in front.
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

    /// The descriptor to poll for POLLPRI. A change is told only to those who have read the present state.
    var number: CInt { active.number }

    /// Whether it is in front now. Where that cannot be read it is not: nothing is held that nobody would let go.
    func isInFront() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
            let count = pread(active.number, buffer.baseAddress, buffer.count, 0)
            return count > 0 && buffer[..<count].elementsEqual((name + "\n").utf8)
        }
    }
}
