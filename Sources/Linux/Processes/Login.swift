import CLinux
import Glibc

package enum LoginName {
    /// The login name from the password database, or the user id where the database has no entry. It is asked once:
    /// each typed count needs the name, and the database may be on the network.
    package static let current: String =
        getpwuid(getuid()).flatMap(\.pointee.pw_name).map { String(cString: $0) } ?? String(getuid())
}

package enum HostName {
    /// The name of this machine, as gethostname(2) says it; nil where it has none.
    package static var current: String? {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

package enum MachineID {
    /// 16 hexadecimal digits that stand for this installation of a system; nil where /etc/machine-id has no id, as in many containers.
    ///
    /// The id itself is to stay on its machine (machine-id(5)). FNV-1a leaves half of its bits, which do not tell it.
    package static var hash: String? {
        guard let text = shortText(of: "/etc/machine-id")?.prefix(32), text.utf8.count == 32,
            text.allSatisfy(\.isHexDigit)
        else { return nil }
        return withUnsafeBytes(of: UInt64.fnv1a("counter \(text)").bigEndian) { Array($0).hexadecimal }
    }
}

/// A file in which systemd-logind stores a session, a seat or a user.
///
/// sd-login(3) of libsystemd reads the same files. The library is the documented interface, but costs a dependency and 1 MB
/// of memory. These names have not changed since the first logind, as other versions of the library have to understand
/// them. Without these files there is no logind. The files of udev's database have the same form.
package struct LoginRecord: Sendable {
    package static let directory = "/run/systemd"

    private let assignments: [Substring: Substring]

    /// Reads a file such as `seats/seat0`.
    package init?(_ name: String, in directory: String = Self.directory) {
        guard let text = shortText(of: "\(directory)/\(name)") else { return nil }
        self.init(text: text)
    }

    package init(text: String) {
        let lines = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
        assignments = Dictionary(lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }

    package subscript(name: String) -> String? { assignments[name[...]].map(String.init) }

    package static func seats(in directory: String = Self.directory) -> [String: LoginRecord] {
        var seats: [String: LoginRecord] = [:]
        // logind writes a file under a temporary name, which begins with a dot, and renames it.
        for name in directoryEntries(of: "\(directory)/seats") {
            if let seat = LoginRecord("seats/\(name)", in: directory) { seats[name] = seat }
        }
        return seats
    }

    /// `nil` where there is no logind. logind replaces its files by renaming, so a reader never sees half of one.
    package static func watchSeats(in directory: String = Self.directory) -> DirectoryWatch? {
        try? DirectoryWatch("\(directory)/seats", mask: UInt32(IN_MOVED_TO | IN_DELETE))
    }
}

/// Whether this program runs where its user sees a desktop.
package enum DesktopSession {
    /// A desktop may show notifications to the user of this terminal.
    package static var isHere: Bool { hasDisplay && !isRemote }

    /// The program runs within a graphical session.
    package static var hasDisplay: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { environmentVariable($0)?.isEmpty == false }
    }

    /// The user has come over the network; see ssh(1).
    package static var isRemote: Bool { environmentVariable("SSH_CONNECTION")?.isEmpty == false }
}
