import Glibc
import System

/// Where the ringer of a journal is found: a lock, which allows one ringer for each journal and user, and a socket beside it.
public struct RingerPlace: Hashable, Sendable {
    /// The directory of both; mode 0700.
    public let directory: String
    /// Tells the journal from others of this machine; letters, digits and hyphens.
    public let name: String

    /// The place for a journal; `nil` where the journal does not exist or this user has no place for the lock.
    ///
    /// - Parameter journal: the directory of the journal.
    public init?(journal: String) {
        var status = stat()
        guard stat(journal, &status) == 0, let directory = Self.runtimeDirectory else { return nil }
        self.directory = directory
        // The file's number is the same by whatever path, and is short: a socket's path has at most 107 bytes.
        name = "\(String(status.st_dev, radix: 16))-\(String(status.st_ino, radix: 16))"
    }

    /// The file that the ringer locks with flock(2).
    public var lock: String { "\(directory)/ringer-\(name).lock" }
    /// The socket that the ringer listens at.
    public var socket: String { "\(directory)/ringer-\(name).socket" }

    /// `$XDG_RUNTIME_DIR/counter`, else `$XDG_STATE_HOME/counter`, else `~/.local/state/counter`. The specification says
    /// that relative paths are ignored.
    private static var runtimeDirectory: String? {
        func absolute(_ variable: String) -> String? {
            environmentVariable(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let base =
            absolute("XDG_RUNTIME_DIR") ?? absolute("XDG_STATE_HOME")
            ?? absolute("HOME").map { $0 + "/.local/state" }
        return base.map { $0 + "/counter" }
    }
}
