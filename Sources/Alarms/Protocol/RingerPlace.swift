import Glibc
import Linux

/// Where the ringer of a journal is found: a lock, which allows one ringer for each journal and user, and a socket beside it.
package struct RingerPlace: Hashable, Sendable {
    /// The directory of both; mode 0700.
    package let directory: String
    /// Tells the journal from others of this machine; letters, digits and hyphens.
    package let name: String

    /// The place for a journal; `nil` where the journal does not exist, or this user has no directory that others cannot change.
    ///
    /// - Parameter journal: the directory of the journal.
    package init?(journal: String) {
        guard let name = Self.name(of: journal), let directory = ProgramFiles.meetingPlace else { return nil }
        (self.directory, self.name) = (directory, name)
    }

    /// The name for a journal; `nil` where it does not exist. The directory's number is the same by whatever path.
    package static func name(of journal: String) -> String? {
        var status = stat()
        guard stat(journal, &status) == 0 else { return nil }
        return "\(String(status.st_dev, radix: 16))-\(String(status.st_ino, radix: 16))"
    }

    /// The file that the ringer locks with flock(2).
    package var lock: String { "\(directory)/ringer-\(name).lock" }
    /// The socket that the ringer listens at.
    package var socket: String { "\(directory)/ringer-\(name).socket" }
}
