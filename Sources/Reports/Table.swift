package import CounterModel
import Glibc
import Linux

extension JSONLine.Value {
    /// For people, or else for CSV; nil where there is no value.
    fileprivate func text(forPeople: Bool) -> String? {
        switch self {
        case .text(let text): text
        case .number(let number): number.map { "\($0)" }
        case .decimal(let number): forPeople ? number?.tenths : number.map { "\($0)" }
        case .flag(let flag): flag.map { "\($0)" }
        case .time(let time): forPeople ? time?.localDateAndTime : time?.iso8601
        case .local(let time, let zone): time.map { forPeople ? zone.text(of: $0) : zone.rfc3339($0) }
        case .list(let texts): texts?.joined(separator: " ")
        case .object, .objects: ""
        }
    }
}

/// What a command prints of values of one type: columns, and the ways to write them as text, JSON and CSV. Objects stand in JSON only.
///
/// People read a moment in this machine's zone, unless it is one of a location's.
package struct Table<Row> {
    package struct Column {
        /// The name in JSON and CSV; nil where it is in neither.
        fileprivate let name: String?
        /// The heading in text; nil where it is not in it.
        fileprivate let title: String?
        fileprivate let isInJSON: Bool
        fileprivate let value: (Row) -> JSONLine.Value
        /// Words for people that say more than the value.
        fileprivate let words: ((Row) -> String)?
        /// Whether text leaves it out where no row has a value.
        fileprivate var isOptional = false

        /// A column of JSON and CSV, and with a title of text; there, if it `isOptional`, only where a row has a value.
        package init(
            _ name: String, _ title: String? = nil, isOptional: Bool = false, words: ((Row) -> String)? = nil,
            value: @escaping (Row) -> JSONLine.Value
        ) {
            (self.name, self.title, self.words, self.value) = (name, title, words, value)
            (isInJSON, self.isOptional) = (true, isOptional)
        }

        /// A column of text only.
        package init(title: String, words: @escaping (Row) -> String) {
            (name, self.title, self.words) = (nil, title, words)
            value = { .text(words($0)) }
            isInJSON = false
        }

        /// A column of CSV only.
        package init(csv name: String, value: @escaping (Row) -> JSONLine.Value) {
            (self.name, title, words, self.value) = (name, nil, nil, value)
            isInJSON = false
        }
    }

    private let columns: [Column]
    private let displayed: [Column]
    /// What people see where there is no value.
    private let nothing = "-"

    /// A table. Its text has the columns in the order of `titles`, where that is another one.
    package init(_ columns: [Column], titles: [String]? = nil) {
        self.columns = columns
        displayed =
            titles?.compactMap { title in columns.first { $0.title == title } }
            ?? columns.filter { $0.title != nil }
    }

    /// A heading and a line for each row.
    package func text(_ rows: [Row]) -> [String] {
        let displayed = displayed.filter { column in
            !column.isOptional || rows.contains { text(column, $0) != nothing }
        }
        return TextTable.lines(
            displayed.compactMap(\.title),
            rows.map { row in displayed.map { $0.words?(row) ?? text($0, row) } })
    }

    private func text(_ column: Column, _ row: Row) -> String {
        column.value(row).text(forPeople: true) ?? nothing
    }

    /// A row as a JSON object, on one line.
    package func json(_ row: Row) -> String { object(row).text }

    /// A row as a JSON object, behind the members of another.
    func object(_ row: Row, after first: JSONLine = [:]) -> JSONLine {
        var object = first
        object.add(
            JSONLine(
                columns.compactMap { column in
                    column.isInJSON ? column.name.map { ($0, column.value(row)) } : nil
                }))
        return object
    }

    package var csvHeader: String { CSV.line(columns.compactMap(\.name)) }

    package func csv(_ row: Row) -> String {
        CSV.line(columns.compactMap { $0.name == nil ? nil : $0.value(row).text(forPeople: false) ?? "" })
    }

    package func csv(_ rows: [Row]) -> [String] { [csvHeader] + rows.map(csv) }
}

/// Tables of text with columns two spaces apart.
package enum TextTable {
    /// Whether the locale's characters are those of Unicode, so that blocks and arrows can be printed.
    package static var isUTF8: Bool { String(cString: nl_langinfo(CInt(CODESET))) == "UTF-8" }

    /// The lines of a table. Characters that are unsafe for a terminal are shown as `?`.
    static func lines(_ header: [String], _ rows: [[String]]) -> [String] {
        let cells = ([header] + rows).map { $0.map(\.sanitised) }
        let widths = header.indices.map { column in
            cells.map { CharacterWidth.columns($0[column]) }.max() ?? 0
        }
        return cells.map { row in
            let line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
