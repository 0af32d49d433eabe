package import CounterModel
package import CounterStore
import Glibc
package import Linux

/// Parses the lines of a file by its format.
package struct ImportReader {
    private let format: ImportFile.Format
    private let columns: ImportColumns
    /// Whether the file has columns of totals, in place of `delta`.
    var hasTotals: Bool { columns.hasTotals }
    /// Whether the file is an exported journal, as its first line tells.
    package let isJournal: Bool
    package let lines: ImportLines

    /// Reads the header, where the format has one.
    ///
    /// - Parameter names: Which columns of a CSV file are which, where they have other names.
    /// - Throws: `ProgramError`: 65 where a CSV file has no header with the names of its columns, 64 where JSON has `names`.
    package init(_ file: ImportFile, names: ColumnNames = ColumnNames()) throws(ProgramError) {
        format = file.format
        var lines = file.lines
        switch file.format {
        case .jsonl:
            guard names.isEmpty else {
                throw ProgramError("--columns is for CSV; a JSON object names its fields", status: EX_USAGE)
            }
            columns = ImportColumns()
            var first = lines
            let line = try first.next()
            // A line that cannot be read begins no journal; it is refused when its turn comes.
            isJournal = line.flatMap { try? LineFields(json: $0.bytes) }?.beginsJournal ?? false
        case .csv:
            isJournal = false
            columns =
                try lines.next().map { line throws(ProgramError) in
                    try ImportColumns(header: line, of: file.name, names)
                } ?? ImportColumns()
        }
        self.lines = lines
    }

    func fields(of line: ImportLines.Line) throws(LineError) -> LineFields {
        switch format {
        case .csv: try columns.fields(of: line.bytes)
        case .jsonl: try LineFields(json: line.bytes)
        }
    }
}

// MARK: - Exported journals

/// Lines of an exported journal: rows, and in files of versions before 0.4.0 lines before them.
extension LineFields {
    /// Whether the line can be the first of an exported journal, as the output of `listen --json` is.
    var beginsJournal: Bool { isRow || isBeginning || isNoRow }

    private var isBeginning: Bool { word(.type) == "journal" && self[.journal] != nil }

    /// What a line of an exported journal stores; nil for its first line, and for a line of `listen --json` that is no row.
    package func journalItem() throws(LineError) -> ImportItem? {
        if isRow { return .row(try row()) }
        if isBeginning || isNoRow { return nil }
        switch word(.type) {
        case "location": return .former(.location(try location()))
        case "device" where try flag(.isForgotten): return .former(.forgottenDevice(try deviceId()))
        case "device": return .former(.device(try device()))
        case "connection": return .former(.connection(try connection()))
        default: throw LineError(why: "is no line of an exported journal")
        }
    }

    private func location() throws(LineError) -> Location {
        let location = Location(
            id: try checkedId(.locationId), name: try required(.name), timezone: try required(.timezone))
        guard LocationSetting.name(location.name).isValid else { throw LineError(why: NameRule.text) }
        if let problem = RowRules.problem(withText: location.timezone, as: "timezone") {
            throw LineError(why: problem)
        }
        return location
    }

    private func device() throws(LineError) -> Device {
        let (id, name) = (try deviceId(), try required(.name))
        guard !name.holdsControlCharacter else { throw LineError(why: "name holds a control character") }
        return Device(
            id: id, name: name, locationId: self.id(.locationId), lastSeenAt: try journalTime(.lastSeenAt),
            isActive: try flag(.isActive), keysReadBy: self[.keysReadBy])
    }

    private func deviceId() throws(LineError) -> Identifier {
        try checkedId(.deviceId)
    }

    private func connection() throws(LineError) -> PastConnection {
        guard let from = try journalTime(.from), let to = try journalTime(.to), from <= to else {
            throw LineError(why: "from and to are two times, the later one last")
        }
        return PastConnection(
            deviceId: try requiredId(.deviceId), locationId: try requiredId(.locationId), from: from, to: to)
    }

    private func checkedId(_ column: LineColumn) throws(LineError) -> Identifier {
        let id = try requiredId(column)
        guard !id.text.holdsControlCharacter else {
            throw LineError(why: "\(column.rawValue) holds a control character")
        }
        return id
    }

    private func journalTime(_ column: LineColumn) throws(LineError) -> Timestamp? {
        guard let time = try time(column) else { return nil }
        if let problem = RowRules.problem(with: time, as: column.rawValue) { throw LineError(why: problem) }
        return time
    }
}
