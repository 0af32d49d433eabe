/// What a terminal shows.
package struct Screen: Equatable, Sendable, CustomStringConvertible {
    /// Its lines from the top, without trailing blanks. With colours they hold escape sequences.
    package let lines: [String]

    /// Whether some line holds `text`.
    package func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    /// The lines, each between bars.
    package var description: String { lines.map { "│\($0)│" }.joined(separator: "\n") }
}
