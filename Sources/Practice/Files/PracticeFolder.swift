import Glibc
import Linux

/// The directory of practice: `settings.sqlite`, and a file for each player. Nothing about a player is anywhere else, except for
/// the limits in the settings.
package final class PracticeFolder {
    /// The directory's path.
    package let path: String
    private var lock: Descriptor?

    /// The directory below a data directory, such as `~/.local/share/counter`; nothing is made.
    package init(below dataDirectory: String) { path = dataDirectory + "/practice" }

    /// The path of the settings.
    package var settingsPath: String { path + "/settings.sqlite" }

    /// Whether it was ever used.
    package var exists: Bool { access(settingsPath, F_OK) == 0 }

    /// Makes the directory, with mode 0700, and keeps other programs out of it until the process ends.
    ///
    /// - Throws: `StoreError`; `inUse` where another program has it.
    package func take() throws(StoreError) {
        do throws(SystemCallError) {
            try makePrivateDirectory(path)
            let directory = try Descriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
            let number = directory.number
            try systemCall("flock", path) { flock(number, LOCK_EX | LOCK_NB) }
            lock = consume directory
        } catch {
            if error.errno == EWOULDBLOCK { throw StoreError(path: path, reason: .inUse) }
            throw StoreError(path: error.subject, errno: error.errno)
        }
    }

    /// The ids of the players, in the order in which they were made.
    package var playerIds: [String] {
        directoryEntries(of: path).filter { $0.hasPrefix("player-") && $0.hasSuffix(".sqlite") }
            .map(Self.playerId).sorted()
    }

    /// The path of a player's file.
    package func path(ofPlayer id: String) -> String { path + "/" + Self.fileName(ofPlayer: id) }

    /// The name of a player's file within the directory.
    package static func fileName(ofPlayer id: String) -> String { "player-\(id).sqlite" }

    /// The id of the player whose file has this path; empty where it has the name of no player's file.
    static func playerId(ofFile path: String) -> String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String($0) ?? "" } ?? ""
        guard name.hasPrefix("player-"), name.hasSuffix(".sqlite") else { return "" }
        return String(name.dropFirst(7).dropLast(7))
    }

    /// Erases a player: unlinks the file, what it links to, and what SQLite may have left beside it. The corresponding C function is
    /// `unlink(2)`.
    ///
    /// - Throws: `StoreError`
    package func erase(player id: String) throws(StoreError) {
        let file = path(ofPlayer: id)
        if let real = realpath(file, nil) {
            defer { free(real) }
            guard unlink(real) == 0 else { throw StoreError(path: String(cString: real), errno: errno) }
            unlink(String(cString: real) + "-journal")
        }
        // Nothing is left where it was no link.
        guard unlink(file) == 0 || errno == ENOENT else { throw StoreError(path: file, errno: errno) }
        unlink(file + "-journal")
    }
}
