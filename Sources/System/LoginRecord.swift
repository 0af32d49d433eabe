import CLinux
import Glibc

/// One of the files in which systemd-logind keeps sessions, seats and users.
///
/// These are the files that sd-login(3) of libsystemd reads too. The library would be the documented way, at the price
/// of a dependency and of a megabyte in memory; the names used here have been the same since logind began, for programs
/// with another version of the library must understand them. Where they are not there, there is no logind.
public struct LoginRecord: Sendable {
    /// Where logind keeps its files.
    public static let directory = "/run/systemd"
    /// Far more than any of them has.
    private static let mostBytes = 65_536

    private let assignments: [Substring: Substring]

    /// Reads a file; `nil` where it cannot be read.
    ///
    /// - Parameters:
    ///   - name: such as `seats/seat0`, below the directory.
    ///   - directory: logind's.
    public init?(_ name: String, in directory: String = Self.directory) {
        guard let file = try? Descriptor(opening: "\(directory)/\(name)", flags: O_RDONLY) else {
            return nil
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.mostBytes) { buffer, count in
            count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
        self.init(text: String(decoding: bytes, as: UTF8.self))
    }

    /// Takes the assignments out of a file's text: a line for each.
    public init(text: String) {
        let lines = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
        assignments = Dictionary(lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }

    /// What a name is said to be; `nil` where nothing is said.
    public subscript(name: String) -> String? { assignments[name[...]].map(String.init) }

    /// All seats of the machine, by their names.
    public static func seats(in directory: String = Self.directory) -> [String: LoginRecord] {
        var seats: [String: LoginRecord] = [:]
        // logind writes a file under a name with a dot before it takes its place.
        for name in directoryEntries(of: "\(directory)/seats") {
            if let seat = LoginRecord("seats/\(name)", in: directory) { seats[name] = seat }
        }
        return seats
    }

    /// Tells of changes of any seat; `nil` where there is no logind.
    ///
    /// logind replaces its files, so that nobody reads half of one.
    public static func watchSeats(in directory: String = Self.directory) -> DirectoryWatch? {
        try? DirectoryWatch("\(directory)/seats", mask: UInt32(IN_MOVED_TO | IN_DELETE))
    }
}
