import Alarms
import Glibc
import Linux

/// Which journals have an alarm to come: a file for each, which only the journal's ringer writes, in `$XDG_STATE_HOME/counter/alarms`. At login the alarms are armed
/// again from there, because timer units of the service manager do not survive it.
struct AlarmRegistry {
    /// What is written down for a journal: a line each.
    struct Record: Hashable {
        var directory: String
        /// The name of the unit that is armed; empty where none is.
        var unit: String
        /// When the alarm is due, in microseconds since 1970.
        var end: Int64

        var text: String { "\(PlainPath.word(directory))\n\(unit)\n\(end)\n" }

        static func read(_ path: String) -> Record? {
            let lines = (try? TextFile(path: path, name: path).text)?.split(
                separator: "\n", omittingEmptySubsequences: false)
            guard let lines, lines.count == 4, let end = Int64(lines[2]),
                let directory = PlainPath.path(String(lines[0]))
            else { return nil }
            return Record(directory: directory, unit: String(lines[1]), end: end)
        }
    }

    /// The directories of the journals in the registry. A record of a journal that is gone, or is another one now, is removed.
    static func takeDirectories() -> Set<String> {
        guard let folder else { return [] }
        let directories = directoryEntries(of: folder).compactMap { name -> String? in
            guard let directory = Record.read("\(folder)/\(name)")?.directory else { return nil }
            var status = stat()
            let isGone = stat(directory, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
            let isAnother = RingerPlace.name(of: directory).map { $0 != name } ?? false
            if isGone || isAnother { unlink("\(folder)/\(name)") }
            return isGone ? nil : directory
        }
        return Set(directories)
    }

    private let path: String?

    init(_ place: RingerPlace) { path = Self.folder.map { "\($0)/\(place.name)" } }

    private static var folder: String? { ProgramFiles.stateDirectory("counter/alarms") }

    var record: Record? { path.flatMap(Record.read) }

    /// Writes the record, or removes it. One that cannot be written costs the alarm after the next login, nothing else.
    func write(_ record: Record?) {
        guard let path, let folder = Self.folder else { return }
        guard let record else {
            unlink(path)
            return
        }
        do throws(SystemCallError) {
            try makeOwnDirectory(folder)
            try TextFile.replace(path, by: record.text)
        } catch {}
    }
}

/// A path as a word of a unit's arguments and of a line: as it is, or `hex:` and its bytes. systemd expands `$` and `%` in
/// arguments, and takes quotes and backslashes away, by rules that differ between its versions.
enum PlainPath {
    private static let prefix = "hex:"

    static func word(_ path: String) -> String {
        let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/.-_".contains($0)) }
        return isPlain ? path : prefix + Array(path.utf8).hexadecimal
    }

    /// The absolute path of a word; `nil` where it has none.
    static func path(_ word: String) -> String? {
        guard word.utf8.starts(with: prefix.utf8) else { return word.hasPrefix("/") ? word : nil }
        guard let bytes = [UInt8](hexadecimal: word.dropFirst(prefix.count)),
            bytes.first == UInt8(ascii: "/")
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
