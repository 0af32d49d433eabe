import Foundation

/// Turns lines of a file into rows, by its format.
struct RowReader {
    private let format: ImportFile.Format
    /// What each field of a CSV line is; `nil` for a column that means nothing here.
    private let columns: [ExchangeRow.Column?]
    /// The lines that hold rows.
    let lines: ArraySlice<ImportFile.Line>

    /// Reads the header, where the format has one.
    ///
    /// - Throws: `Failure` (65) where a CSV file has no header that says what its columns are.
    init(_ file: ImportFile) throws(Failure) {
        format = file.format
        let all = file.lines[...]
        switch file.format {
        case .jsonl:
            columns = []
            lines = all
        case .csv:
            let names = all.first.flatMap { CSV.fields(of: $0.text) } ?? []
            columns = names.map { ExchangeRow.Column(rawValue: $0) }
            guard all.isEmpty || columns.contains(.timestamp) else {
                let header = ExchangeRow.Column.allCases.map(\.rawValue).joined(separator: ",")
                throw Failure(
                    "\(file.name):1: the first line does not name the columns",
                    remedy: "It may be: \(header)",
                    status: EX_DATAERR)
            }
            lines = all.dropFirst()
        }
    }

    /// The row of a line.
    func row(_ line: ImportFile.Line) throws(ExchangeRow.Unusable) -> ExchangeRow {
        switch format {
        case .csv: try csv(line.text)
        case .jsonl: try json(line.text)
        }
    }

    private func csv(_ text: Substring) throws(ExchangeRow.Unusable) -> ExchangeRow {
        guard let fields = CSV.fields(of: text) else { throw .init(reason: "a quote is left open") }
        guard fields.count == columns.count else {
            throw .init(reason: "\(fields.count) fields where the header has \(columns.count)")
        }
        let named = zip(columns, fields).compactMap { column, field in
            field.isEmpty ? nil : column.map { ($0, field) }
        }
        return ExchangeRow(fields: Dictionary(named) { first, _ in first })
    }

    private func json(_ text: Substring) throws(ExchangeRow.Unusable) -> ExchangeRow {
        guard let members = try? JSONDecoder().decode([String: Scalar?].self, from: Data(text.utf8)) else {
            throw .init(reason: "is no flat JSON object")
        }
        var fields: [ExchangeRow.Column: String] = [:]
        for (name, value) in members {
            guard let column = ExchangeRow.Column(rawValue: name), let text = value?.text else { continue }
            if !text.isEmpty { fields[column] = text }
        }
        return ExchangeRow(fields: fields)
    }
}

/// A member's value: a text or a number, as a text.
private struct Scalar: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            text = String(number)
        } else if let flag = try? container.decode(Bool.self) {
            text = String(flag)
        } else {
            text = try container.decode(String.self)
        }
    }
}
