package import CounterModel
package import CounterStore
import Glibc
package import Linux

package struct ImportReader {
    /// nil for JSON.
    private let columns: ImportColumns?
    /// Whether the file has columns of totals, in place of `delta`.
    var hasTotals: Bool { columns?.hasTotals ?? false }
    /// Whether the file is an exported journal, as its first line tells.
    package let isJournal: Bool
    package let lines: ImportLines

    /// Reads the header, where the format has one.
    /// `names`: which columns of a CSV file are which, where they have other names.
    /// Throws `ProgramError`: 65 where a CSV file has no header with the names of its columns, 64 where JSON has `names`.
    package init(_ file: ImportFile, names: ColumnNames? = nil) throws(ProgramError) {
        var lines = file.lines
        switch file.format {
        case .jsonl:
            guard names == nil else {
                throw ProgramError("--columns is for CSV; a JSON object names its fields", status: EX_USAGE)
            }
            columns = nil
            var first = lines
            let line = try first.next()
            // A line that cannot be read begins no journal; it is refused when its turn comes.
            isJournal = line.flatMap { try? LineFields(json: $0.bytes) }?.beginsJournal ?? false
        case .csv:
            isJournal = false
            columns = try lines.next().map { line throws(ProgramError) in
                try ImportColumns(header: line, of: file.name, names)
            }
        }
        self.lines = lines
    }

    func fields(of line: ImportLines.Line) throws(LineError) -> LineFields {
        if let columns { return try columns.fields(of: line.bytes) }
        return try LineFields(json: line.bytes)
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
        case "device" where try flag(.isForgotten): return .former(.forgottenDevice(try checkedId(.deviceId)))
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
        let (id, name) = (try checkedId(.deviceId), try required(.name))
        guard !name.holdsControlCharacter else { throw LineError(why: "name holds a control character") }
        return Device(
            id: id, name: name, locationId: self.id(.locationId), lastSeenAt: try journalTime(.lastSeenAt),
            isActive: try flag(.isActive), keysReadBy: self[.keysReadBy])
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

// MARK: - Columns of CSV

/// Which columns of a CSV file are which, as a user writes it: `timestamp=Date,locationId=Room,in=In,out=Out`. Two columns may make one
/// field: `timestamp=Date+Time`.
package struct ColumnNames {
    private var titles: [LineColumn: [String]] = [:]

    private static let fields = LineColumn.exchanged + LineColumn.totals

    /// Throws `LineError` where the text is not of that form.
    package init(_ text: String) throws(LineError) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1).map { String($0).withoutBlanks }
            guard pair.count == 2, !pair[1].isEmpty else {
                throw LineError(why: "'\(part)' is no field=column, such as timestamp=Date")
            }
            guard let field = Self.fields.first(where: { $0.rawValue == pair[0] }) else {
                let names = Self.fields.map(\.rawValue)
                throw LineError(
                    why: "there is no field '\(pair[0])'. \(names.suggestion(for: pair[0]))"
                        + "They are: \(names.joined(separator: ", "))")
            }
            guard titles[field] == nil else { throw LineError(why: "\(field.rawValue) is named twice") }
            titles[field] = pair[1].split(separator: "+").map { String($0).withoutBlanks }
        }
        if titles[.delta] != nil, LineColumn.totals.contains(where: { titles[$0] != nil }) {
            throw LineError(why: "delta and the totals in and out exclude each other")
        }
    }

    /// The titles of each field, as a file spells them: upper and lower case are one where no column has the very title.
    /// Throws `ProgramError` (65) where it has no such column.
    fileprivate func titles(
        among headings: [String], _ place: String
    ) throws(ProgramError) -> [LineColumn: [String]] {
        var spelled: [LineColumn: [String]] = [:]
        for (field, titles) in titles {
            spelled[field] = try titles.map { title throws(ProgramError) in
                let similar = headings.filter { $0.lowercased() == title.lowercased() }
                if headings.contains(title) { return title }
                if similar.count == 1 { return similar[0] }
                throw ProgramError(
                    "\(place): there is no column '\(title)'",
                    remedy: "\(headings.suggestion(for: title))It has: \(headings.joined(separator: ", "))",
                    status: EX_DATAERR)
            }
        }
        return spelled
    }

    /// What to write where a file's columns have the names of fields but for upper and lower case; empty where time has no such name.
    fileprivate static func differingInCase(from headings: [String]) -> String {
        let pairs = fields.compactMap { field in
            headings.first { $0.lowercased() == field.rawValue.lowercased() }.map {
                "\(field.rawValue)=\($0)"
            }
        }
        return pairs.first?.hasPrefix(LineColumn.timestamp.rawValue) == true
            ? pairs.joined(separator: ",") : ""
    }
}

struct ImportColumns {
    /// The field of each column; nil for an unknown one.
    private let fields: [LineColumn?]
    /// The names that columns have in the file, where they are not those of their fields.
    private let titles: [LineColumn: String]
    private let separator: UInt8

    var hasTotals: Bool { LineColumn.totals.contains { fields.contains($0) } }

    /// The columns that a header names. Unknown names are allowed, and blanks around names are ignored.
    init(header: ImportLines.Line, of file: String, _ names: ColumnNames?) throws(ProgramError) {
        let place = "\(file):\(header.number)"
        guard String(validating: header.bytes, as: UTF8.self) != nil else {
            throw ProgramError("\(place): is no text in UTF-8", status: EX_DATAERR)
        }
        separator = CSV.separator(in: header.bytes)
        let headings = (CSV.fields(of: header.bytes, separator: separator) ?? []).map(\.withoutBlanks)
        let names = try names?.titles(among: headings, place) ?? [:]
        let hasTotals = ![LineColumn.delta, .type, .value].contains {
            names[$0] != nil || headings.contains($0.rawValue)
        }
        let own = LineColumn.exchanged + (hasTotals ? LineColumn.totals : [])
        fields = headings.map { heading in
            names.first { $0.value.contains(heading) }?.key
                ?? own.first { $0.rawValue == heading && names[$0] == nil }
        }
        titles = names.mapValues { $0.joined(separator: "+") }
        guard fields.contains(.timestamp) else {
            let known = LineColumn.exchanged.map(\.rawValue).joined(separator: ",")
            let meant = ColumnNames.differingInCase(from: headings)
            throw ProgramError(
                "\(place): the first line does not name the columns",
                remedy: "It may be: \(known). Where they have other names: --columns "
                    + (meant.isEmpty ? "timestamp=Date,in=In,out=Out" : meant),
                status: EX_DATAERR)
        }
        for (heading, field) in zip(headings, fields)
        where field != nil && headings.count(where: { $0 == heading }) > 1 {
            throw ProgramError("\(place): \(heading) is named twice", status: EX_DATAERR)
        }
    }

    func fields(of text: ArraySlice<UInt8>) throws(LineError) -> LineFields {
        guard String(validating: text, as: UTF8.self) != nil else {
            throw LineError(why: "is no text in UTF-8")
        }
        guard let values = CSV.fields(of: text, separator: separator) else {
            throw LineError(why: "a quote is left open")
        }
        guard values.count == fields.count else {
            throw LineError(why: "\(values.count) fields where the header has \(fields.count)")
        }
        var named: [LineColumn: String] = [:]
        for case (let field?, let value) in zip(fields, values) where !value.isEmpty {
            named[field] = named[field].map { "\($0) \(value)" } ?? value
        }
        return LineFields(named, titles: titles)
    }
}
