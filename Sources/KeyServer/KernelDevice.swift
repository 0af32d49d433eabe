import Glibc
import Linux

/// An input device by the kernel's name for it, `inputN`, as in sysfs.
package enum KernelDevice {
    /// Whether the device exists.
    static func exists(_ name: String) -> Bool { access("/sys/class/input/\(name)", F_OK) == 0 }

    /// The path of its event node; `nil` if it has none.
    package static func node(of name: String) -> String? {
        directoryEntries(of: "/sys/class/input/\(name)").first { $0.hasPrefix("event") }.map {
            "/dev/input/\($0)"
        }
    }

    /// Restores the entries of its key map that a remapping changed.
    ///
    /// - Returns: whether all have their original meanings.
    static func restore(_ remapping: Remapping, of name: String) -> Bool {
        guard let path = node(of: name), let node = try? NodeDescriptor(opening: path) else { return false }
        return remapping.restore(node)
    }
}
