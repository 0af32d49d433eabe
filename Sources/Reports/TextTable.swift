import System

/// Tables of text with columns two spaces apart.
public enum TextTable {
    /// The lines of a table. Characters that are unsafe for a terminal are shown as `?`.
    public static func lines(_ header: [String], _ rows: [[String]]) -> [String] {
        let cells = ([header] + rows).map { $0.map(\.sanitised) }
        let widths = header.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { row in
            let padded = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}
