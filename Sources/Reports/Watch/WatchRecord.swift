public import CounterModel
import Glibc
public import System
import Transfer

/// What a `counter watch` has done, in a file of its own: so a restart runs nothing twice and leaves nothing out.
///
/// Of the row after `position`, the first `started` events have had their commands started.
public final class WatchRecord {
    var position: Position
    var started = 0
    /// The ids of the locations that were last reported as stale.
    var stale: Set<String> = []
    /// Whether an earlier run has written it.
    let isContinued: Bool

    private let path: String
    private let lock: LockFile

    /// Reads the record of a watch, or begins one at the journal's end.
    ///
    /// - Parameters:
    ///   - directory: Where records are kept; made where it is missing.
    ///   - identity: What the watch is: its journal, location, conditions and command. Another identity has another record.
    ///   - end: The journal's last position.
    /// - Throws: `Failure`: 75 where the same watch runs already, 65 where the record is damaged, 73 or 77 where it cannot be
    ///   made.
    public init(in directory: String, of identity: [String], end: Position) throws(Failure) {
        var hash = FileHash()
        for text in identity { hash.add(Array(text.utf8) + [0]) }
        path = "\(directory)/\(hash.text.filter { $0 != ":" })"
        do throws(SystemCallError) {
            try makeOwnDirectory(directory)
            lock = try LockFile(path + ".lock")
        } catch {
            throw Self.failure(error, path)
        }
        position = end
        guard access(path, F_OK) == 0 else {
            isContinued = false
            return
        }
        isContinued = true
        let text = try TextFile(path: path, name: path).text
        position = Position(-1)
        for line in text.split(separator: "\n" as Character) { read(line) }
        guard position >= .start, started >= 0 else { throw Self.damaged(path) }
        guard position <= end else {
            throw Failure(
                "\(path): the journal ends at \(end.number), before what was done already (\(position.number))",
                remedy: "It is an older state of the journal. Remove that file to begin at the present.",
                status: EX_DATAERR)
        }
    }

    private func read(_ line: Substring) {
        let (word, value) = (line.prefix { $0 != " " }, line.drop { $0 != " " }.dropFirst())
        switch word {
        case "position": position = Position(Int64(value) ?? -1)
        case "started": started = Int(value) ?? -1
        case "stale": stale.insert(String(value))
        default: started = -1
        }
    }

    /// Writes the record; it survives a power cut.
    ///
    /// - Throws: `Failure` (74)
    func save() throws(Failure) {
        let lines =
            ["position \(position.number)", "started \(started)"] + stale.sorted().map { "stale \($0)" }
        do throws(SystemCallError) {
            try TextFile.replace(path, by: lines.map { $0 + "\n" }.joined())
        } catch { throw Failure("\(error)", status: EX_IOERR) }
    }

    private static func damaged(_ path: String) -> Failure {
        Failure(
            "\(path): is damaged", remedy: "Remove it to begin at the journal's present end.",
            status: EX_DATAERR)
    }

    private static func failure(_ error: SystemCallError, _ path: String) -> Failure {
        switch error.errno {
        case EWOULDBLOCK:
            Failure(
                "the same watch runs already",
                remedy: "End that program first, or watch with another command.",
                status: EX_TEMPFAIL)
        case EACCES, EPERM, EROFS: Failure("\(path): \(error.reason)", status: EX_NOPERM)
        default: Failure("\(path): \(error.reason)", status: EX_CANTCREAT)
        }
    }
}
