import CLinux
import Glibc
import Linux

/// The seat that a device belongs to, as udev's database says: `ID_SEAT`, which `loginctl attach` sets.
enum DeviceSeat {
    /// The directory of udev's database. The file of a node is named by its device number.
    static let directory = "/run/udev/data"
    /// The major number of input nodes; see Documentation/admin-guide/devices.txt of the kernel.
    private static let inputMajor: UInt64 = 13
    /// Far more than any file of the database has.
    private static let maxBytes = 65_536

    /// The seat of a node; the default seat if the database names none.
    ///
    /// - Parameters:
    ///   - path: the path of the node.
    ///   - directory: the directory of udev's database.
    /// - Returns: the seat's name.
    static func name(of path: String, in directory: String = Self.directory) -> String {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return Seats.defaultSeat }
        // Divided as gnu_dev_major(3) and gnu_dev_minor(3) do.
        let device = UInt64(status.st_rdev)
        let major = device >> 8 & 0xFFF
        let minor = device & 0xFF | device >> 12 & 0xFFF00
        return name(inFile: "\(directory)/c\(major):\(minor)") ?? Seats.defaultSeat
    }

    static func name(inFile path: String) -> String? {
        guard let file = try? Descriptor(opening: path, flags: O_RDONLY) else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: maxBytes) { buffer, count in
            count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("E:ID_SEAT=") }.map { String($0.dropFirst(10)) }
    }

    /// Watches the database for changes; `nil` if there is none. udev replaces its files by rename(2), so none is
    /// read half written.
    static func watchDatabase(_ directory: String = Self.directory) -> DirectoryWatch? {
        try? DirectoryWatch(directory, mask: UInt32(IN_MOVED_TO | IN_DELETE))
    }

    /// Whether a change is of an input node's file.
    static func concernsInput(_ event: DirectoryWatch.Event) -> Bool {
        // Events that were lost have no name.
        event.name.isEmpty || event.name.hasPrefix("c\(inputMajor):")
    }
}
