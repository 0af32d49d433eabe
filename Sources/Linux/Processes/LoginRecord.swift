import CLinux
import Glibc

/// A file in which systemd-logind stores a session, a seat or a user.
///
/// sd-login(3) of libsystemd reads the same files. The library is the documented interface, but costs a dependency and 1 MB
/// of memory. The names used here have not changed since the first logind, because programs with other versions of the
/// library have to understand them. Without these files there is no logind.
package struct LoginRecord: Sendable {
    /// The directory of logind's files.
    package static let directory = "/run/systemd"
    /// Far more than any of the files has.
    private static let maxBytes = 65_536

    private let assignments: [Substring: Substring]

    /// Reads a file; `nil` where it cannot be read.
    ///
    /// - Parameters:
    ///   - name: the path in the directory, such as `seats/seat0`.
    ///   - directory: logind's directory.
    package init?(_ name: String, in directory: String = Self.directory) {
        guard let file = try? Descriptor(opening: "\(directory)/\(name)", flags: O_RDONLY) else {
            return nil
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.maxBytes) { buffer, count in
            count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
        self.init(text: String(decoding: bytes, as: UTF8.self))
    }

    /// Reads the assignments of a file's text, one on each line.
    package init(text: String) {
        let lines = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
        assignments = Dictionary(lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }

    /// The value of an assignment; `nil` where there is none.
    package subscript(name: String) -> String? { assignments[name[...]].map(String.init) }

    /// All seats of the machine, by name.
    package static func seats(in directory: String = Self.directory) -> [String: LoginRecord] {
        var seats: [String: LoginRecord] = [:]
        // logind writes a file under a temporary name, which begins with a dot, and renames it.
        for name in directoryEntries(of: "\(directory)/seats") {
            if let seat = LoginRecord("seats/\(name)", in: directory) { seats[name] = seat }
        }
        return seats
    }

    /// Watches for changes of all seats; `nil` where there is no logind.
    ///
    /// logind replaces its files by renaming, so a reader never sees half of one.
    package static func watchSeats(in directory: String = Self.directory) -> DirectoryWatch? {
        try? DirectoryWatch("\(directory)/seats", mask: UInt32(IN_MOVED_TO | IN_DELETE))
    }
}
