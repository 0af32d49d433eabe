import Glibc
import Linux

/// Tables of text with columns two spaces apart.
package enum TextTable {
    /// Whether the locale's characters are those of Unicode, so that blocks and arrows can be printed.
    package static var isUTF8: Bool { String(cString: nl_langinfo(CInt(CODESET))) == "UTF-8" }

    /// The lines of a table. Characters that are unsafe for a terminal are shown as `?`.
    package static func lines(_ header: [String], _ rows: [[String]]) -> [String] {
        let cells = ([header] + rows).map { $0.map(\.sanitised) }
        let widths = header.indices.map { column in
            cells.map { CharacterWidth.columns($0[column]) }.max() ?? 0
        }
        return cells.map { row in
            let padded = zip(row, widths).map {
                $0 + String(repeating: " ", count: $1 - CharacterWidth.columns($0))
            }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}
