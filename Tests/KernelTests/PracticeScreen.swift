import TestSupport

/// What a player reads from the screen of a level, of 80 columns and 24 rows in UTF-8.
struct PracticeScreen {
    private let lines: [String]

    init(_ screen: Screen) { lines = screen.lines }

    /// How often texts are on the screen.
    private func count(of texts: [String]) -> Int {
        lines.reduce(0) { sum, line in texts.reduce(sum) { $0 + line.ranges(of: $1).count } }
    }

    /// The dots of all dice.
    var pips: Int { count(of: ["▟██▙"]) }

    // MARK: Count

    /// How many things are shown: each has three rows, and the middle one is unlike any other's.
    var things: Int { count(of: ["--*--", "(   )", "/o \\/", "/_\\", "|~~|)", "<o )_"]) }

    /// The numbers to choose from.
    var numbers: [Int] {
        guard let row = lines.first(where: { $0.contains(/>\d+</) }) else { return [] }
        return row.matches(of: /\d+/).compactMap { Int($0.0) }
    }

    /// The number between the marks.
    var chosen: Int? { lines.compactMap { $0.firstMatch(of: />(\d+)</).flatMap { Int($0.1) } }.first }

    // MARK: Pattern

    /// The shapes of the pattern, row by row.
    var pattern: [String] { shapes(box: 1) }
    /// The shapes of the copy.
    var copy: [String] { shapes(box: 3) }

    /// The upper halves of the shapes in a frame: a cell is six columns wide and three rows high, with marks around the shape.
    private func shapes(box: Int) -> [String] {
        let boxes = lines.map { $0.split(separator: "│", omittingEmptySubsequences: false) }
            .filter { $0.count == 5 }.map { Array($0[box].dropFirst().dropLast()) }
        return stride(from: 0, to: boxes.count, by: 3).flatMap { row in
            stride(from: 0, to: boxes[row].count, by: 6).map { String(boxes[row][$0 + 1..<$0 + 5]) }
        }
    }
}
