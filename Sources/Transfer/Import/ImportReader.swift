import CounterModel
package import CounterStore
import Glibc
package import Linux

/// Parses the lines of a file by its format.
package struct ImportReader {
    private let format: ImportFile.Format
    /// The hash of the file.
    private let hash: String
    /// The column of each field of a CSV line; `nil` for an unknown column.
    private let columns: [LineColumn?]
    /// Whether the file is an exported journal, as its first line tells.
    package let isJournal: Bool
    /// The lines with rows.
    package let lines: ImportLines

    /// Reads the header, where the format has one.
    ///
    /// - Throws: `ProgramError` (65) where a CSV file has no header with the names of its columns.
    package init(_ file: ImportFile) throws(ProgramError) {
        format = file.format
        hash = file.hash
        var lines = file.lines
        switch file.format {
        case .jsonl:
            columns = []
            var first = lines
            let line = try first.next()
            // A line that cannot be read begins no journal; it is refused when its turn comes.
            isJournal = line.flatMap { try? LineFields(json: $0.bytes) }?.beginsJournal ?? false
        case .csv:
            isJournal = false
            columns =
                try lines.next().map { line throws(ProgramError) in try Self.columns(line, of: file.name) }
                ?? []
        }
        self.lines = lines
    }

    /// The columns that a header names. Unknown names are allowed, and blanks around names are ignored.
    private static func columns(
        _ header: ImportLines.Line, of file: String
    ) throws(ProgramError) -> [LineColumn?] {
        guard String(validating: header.bytes, as: UTF8.self) != nil else {
            throw ProgramError("\(file):\(header.number): is no text in UTF-8", status: EX_DATAERR)
        }
        let columns = (CSV.fields(of: header.bytes) ?? []).map { name in
            LineColumn.exchanged.first { $0.rawValue == name.withoutBlanks }
        }
        guard columns.contains(.timestamp) else {
            let known = LineColumn.exchanged.map(\.rawValue).joined(separator: ",")
            throw ProgramError(
                "\(file):\(header.number): the first line does not name the columns",
                remedy: "It may be: \(known)",
                status: EX_DATAERR)
        }
        for column in LineColumn.exchanged where columns.count(where: { $0 == column }) > 1 {
            throw ProgramError(
                "\(file):\(header.number): \(column.rawValue) is named twice", status: EX_DATAERR)
        }
        return columns
    }

    /// What a line stores.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - location: The id of the location for lines that name none.
    /// - Returns: nil for a line that stores nothing.
    /// - Throws: `LineError`
    package func item(
        of line: ImportLines.Line, location: Identifier
    ) throws(LineError) -> ImportItem? {
        let fields = try fields(of: line)
        if isJournal { return try fields.journalItem() }
        let identity = ImportLine(fileHash: hash, number: line.number)
        return .row(try fields.row(location: location, line: identity))
    }

    private func fields(of line: ImportLines.Line) throws(LineError) -> LineFields {
        switch format {
        case .csv: try csv(line.bytes)
        case .jsonl: try LineFields(json: line.bytes)
        }
    }

    private func csv(_ text: ArraySlice<UInt8>) throws(LineError) -> LineFields {
        guard String(validating: text, as: UTF8.self) != nil else {
            throw LineError(why: "is no text in UTF-8")
        }
        guard let fields = CSV.fields(of: text) else { throw LineError(why: "a quote is left open") }
        guard fields.count == columns.count else {
            throw LineError(why: "\(fields.count) fields where the header has \(columns.count)")
        }
        var named: [LineColumn: String] = [:]
        for case (let column?, let field) in zip(columns, fields) where !field.isEmpty {
            named[column] = field
        }
        return LineFields(named)
    }
}
