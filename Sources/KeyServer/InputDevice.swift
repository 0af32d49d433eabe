import Glibc
import System

/// An input device by the kernel's name of it, `inputN`, as sysfs knows it.
public enum InputDevice {
    /// The device is there.
    static func exists(_ name: String) -> Bool { access("/sys/class/input/\(name)", F_OK) == 0 }

    /// The path of its node; `nil` where there is none.
    public static func node(of name: String) -> String? {
        directoryEntries(of: "/sys/class/input/\(name)").first { $0.hasPrefix("event") }.map {
            "/dev/input/\($0)"
        }
    }

    /// Gives entries of its key map their meanings back.
    ///
    /// - Returns: whether all have them.
    static func restore(_ remapping: Remapping, of name: String) -> Bool {
        guard let path = node(of: name), let node = try? NodeDescriptor(opening: path) else { return false }
        return remapping.restore(node)
    }
}
