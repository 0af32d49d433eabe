/// What a terminal shows.
public struct Screen: Equatable, Sendable, CustomStringConvertible {
    /// Its lines from the top, without trailing blanks. With colours they hold escape sequences.
    public let lines: [String]

    /// Whether some line holds `text`.
    public func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    /// The lines, each between bars.
    public var description: String { lines.map { "│\($0)│" }.joined(separator: "\n") }
}
