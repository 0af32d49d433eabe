package import CounterModel
import Glibc
package import Linux
import Transfer

/// What a `counter watch` has done, in a file of its own: a restart goes on there. An event is recorded before its command is
/// started, so a command runs at most once for it. Killed in between, the program says so at its next start.
package final class WatchRecord {
    /// Of the row after `position`, the first `started` events have had their commands started.
    struct State {
        var position: Position
        var started = 0
        /// The ids of the locations that were last seen to be stale.
        var stale: Set<Identifier> = []
        /// What was seen of devices, and has not had its command started, in this order.
        var signs: [Sign] = []
        /// The event whose command is being started; nil once it has been.
        var starting: String?
    }

    /// That a location has become stale, with the ids of its silent devices, or live.
    struct Sign {
        let condition: LocationCondition
        let locationId: Identifier
        let devices: [String]
    }

    var state: State
    let isContinued: Bool

    private let path: String
    private let lock: LockFile

    /// Reads the record of a watch, or begins one at the journal's end. The `identity` of a watch is its journal, location, conditions
    /// and command.
    /// - Throws: `ProgramError`: 75 where the same watch runs already, 65 where the record is damaged, 73 or 77 where it cannot be
    ///   made.
    package init(in directory: String, of identity: [String], end: Position) throws(ProgramError) {
        var hash = FileHash()
        for text in identity { hash.add(Array(text.utf8) + [0]) }
        path = "\(directory)/\(hash.text.filter { $0 != ":" })"
        do throws(SystemCallError) {
            try makeOwnDirectory(directory)
            lock = try LockFile(path + ".lock")
        } catch {
            throw Self.failure(error, path)
        }
        state = State(position: end)
        guard access(path, F_OK) == 0 else {
            isContinued = false
            return
        }
        isContinued = true
        let text = try TextFile(path: path, name: path).text
        state.position = Position(-1)
        // By bytes: a combining mark at the start of an id would be one character with the space before it.
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) { read(line) }
        guard state.position >= .start, state.started >= 0 else {
            throw ProgramError(
                "\(path): is damaged", remedy: "Remove it to begin at the journal's present end.",
                status: EX_DATAERR)
        }
        guard state.position <= end else {
            throw ProgramError(
                "\(path): the journal ends at \(end.number), before what was done already (\(state.position.number))",
                remedy: "It is an older state of the journal. Remove that file to begin at the present.",
                status: EX_DATAERR)
        }
    }

    private func read(_ line: Substring.UTF8View) {
        let word = line.prefix { $0 != UInt8(ascii: " ") }
        let value = String(Substring(line.dropFirst(word.count + 1)))
        switch String(Substring(word)) {
        case "position": state.position = Position(Int64(value) ?? -1)
        case "started": state.started = Int(value) ?? -1
        case "stale": state.stale.insert(Identifier(value))
        case "waiting":
            if let sign = Sign(value) { state.signs.append(sign) } else { state.started = -1 }
        case "starting": state.starting = value
        default: state.started = -1
        }
    }

    /// Writes the record; it survives a power cut.
    func save() throws(ProgramError) {
        let lines =
            ["position \(state.position.number)", "started \(state.started)"]
            + state.stale.sorted().map { "stale \($0)" } + state.signs.map { "waiting \($0.text)" }
            + (state.starting.map { ["starting \($0)"] } ?? [])
        do throws(SystemCallError) {
            try TextFile.replace(path, by: lines.map { $0 + "\n" }.joined())
        } catch {
            throw ProgramError("\(error)", remedy: Linux.remedy(forLimit: error.errno), status: EX_IOERR)
        }
    }

    private static func failure(_ error: SystemCallError, _ path: String) -> ProgramError {
        switch error.errno {
        case EWOULDBLOCK:
            ProgramError(
                "the same watch runs already",
                remedy: "End that program first, or watch with another command.", status: EX_TEMPFAIL)
        case EACCES, EPERM, EROFS: ProgramError("\(path): \(error.reason)", status: EX_NOPERM)
        case EMFILE, ENFILE:
            ProgramError(
                "\(path): \(error.reason)", remedy: Linux.remedy(forLimit: error.errno), status: EX_OSERR)
        default: ProgramError("\(path): \(error.reason)", status: EX_CANTCREAT)
        }
    }
}

extension WatchRecord.Sign {
    /// With tabs between condition, location and devices: no id has one.
    fileprivate init?(_ text: String) {
        let fields = text.split(separator: "\t").map(String.init)
        guard fields.count > 1, let condition = LocationCondition(rawValue: fields[0]) else { return nil }
        self.init(condition: condition, locationId: Identifier(fields[1]), devices: Array(fields[2...]))
    }

    fileprivate var text: String {
        ([condition.rawValue, locationId.text] + devices.map(\.withSpacesForControls)).joined(separator: "\t")
    }
}
