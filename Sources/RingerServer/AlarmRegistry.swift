import Glibc
import RingerProtocol
import System

/// Which journals have an alarm to come: a file for each, which only the journal's ringer writes, in `$XDG_STATE_HOME/counter/alarms`. At login the alarms are armed
/// again from there, because timer units of the service manager do not survive it.
public struct AlarmRegistry: Sendable {
    /// What is written down for a journal: a line each.
    struct Record: Hashable {
        /// The journal's directory.
        var directory: String
        /// The name of the unit that is armed; empty where none is.
        var unit: String
        /// When the alarm is due, in microseconds since 1970.
        var end: Int64

        var text: String { "\(directory)\n\(unit)\n\(end)\n" }

        init(directory: String, unit: String, end: Int64) {
            (self.directory, self.unit, self.end) = (directory, unit, end)
        }

        init?(text: String) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard lines.count == 4, let end = Int64(lines[2]), lines[0].hasPrefix("/") else { return nil }
            self.init(directory: String(lines[0]), unit: String(lines[1]), end: end)
        }
    }

    /// The directories of the journals in the registry.
    public static var directories: [String] {
        guard let folder else { return [] }
        return directoryEntries(of: folder).compactMap { read("\(folder)/\($0)")?.directory }
    }

    private let path: String?

    init(_ place: RingerPlace) { path = Self.folder.map { "\($0)/\(place.name)" } }

    private static var folder: String? { ProgramFiles.stateDirectory("counter/alarms") }

    private static func read(_ path: String) -> Record? {
        (try? TextFile(path: path, name: path)).flatMap { Record(text: $0.text) }
    }

    var record: Record? { path.flatMap(Self.read) }

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
