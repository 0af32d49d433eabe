import Glibc

/// Turns lines of a file into rows, by its format.
struct RowReader {
    private let format: ImportFile.Format
    /// What each field of a CSV line is; `nil` for a column that means nothing here.
    private let columns: [ExchangeRow.Column?]
    /// The lines that hold rows.
    let lines: ImportLines

    /// Reads the header, where the format has one.
    ///
    /// - Throws: `Failure` (65) where a CSV file has no header that says what its columns are.
    init(_ file: ImportFile) throws(Failure) {
        format = file.format
        var lines = file.lines
        switch file.format {
        case .jsonl: columns = []
        case .csv:
            columns =
                try lines.next().map { line throws(Failure) in try Self.columns(line, of: file.name) } ?? []
        }
        self.lines = lines
    }

    /// The columns that a header names. Names that mean nothing here may stand there, and blanks around each.
    private static func columns(
        _ header: ImportLines.Line, of file: String
    ) throws(Failure) -> [ExchangeRow.Column?] {
        guard String(validating: header.bytes, as: UTF8.self) != nil else {
            throw Failure("\(file):\(header.number): is no text in UTF-8", status: EX_DATAERR)
        }
        let columns = (CSV.fields(of: header.bytes) ?? []).map {
            ExchangeRow.Column(rawValue: $0.withoutBlanks)
        }
        guard columns.contains(.timestamp) else {
            let known = ExchangeRow.Column.allCases.map(\.rawValue).joined(separator: ",")
            throw Failure(
                "\(file):\(header.number): the first line does not name the columns",
                remedy: "It may be: \(known)",
                status: EX_DATAERR)
        }
        for column in ExchangeRow.Column.allCases where columns.count(where: { $0 == column }) > 1 {
            throw Failure("\(file):\(header.number): \(column.rawValue) is named twice", status: EX_DATAERR)
        }
        return columns
    }

    /// The row of a line.
    func row(_ line: ImportLines.Line) throws(ExchangeRow.Unusable) -> ExchangeRow {
        guard String(validating: line.bytes, as: UTF8.self) != nil else {
            throw .init(reason: "is no text in UTF-8")
        }
        switch format {
        case .csv: return try csv(line.bytes)
        case .jsonl: return try json(line.bytes)
        }
    }

    private func csv(_ text: ArraySlice<UInt8>) throws(ExchangeRow.Unusable) -> ExchangeRow {
        guard let fields = CSV.fields(of: text) else { throw .init(reason: "a quote is left open") }
        guard fields.count == columns.count else {
            throw .init(reason: "\(fields.count) fields where the header has \(columns.count)")
        }
        let named = zip(columns, fields).compactMap { column, field in
            field.isEmpty ? nil : column.map { ($0, field) }
        }
        return ExchangeRow(fields: Dictionary(uniqueKeysWithValues: named))
    }

    private func json(_ text: ArraySlice<UInt8>) throws(ExchangeRow.Unusable) -> ExchangeRow {
        guard let members = FlatJSON.members(of: text) else { throw .init(reason: "is no JSON object") }
        let named = members.compactMap { name, text in ExchangeRow.Column(rawValue: name).map { ($0, text) } }
        return ExchangeRow(fields: Dictionary(uniqueKeysWithValues: named))
    }
}
