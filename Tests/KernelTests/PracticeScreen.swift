import TestSupport

/// What a player reads from the screen of a level.
struct PracticeScreen {
    private let rows: [[String]]
    /// The dots of all dice.
    let pips: Int
    /// The number in brackets.
    let chosen: Int?

    /// - Parameter screen: 80 columns wide or more.
    init(_ screen: Screen) {
        pips = screen.lines.filter { $0.contains("|") }.joined().count { $0 == "●" }
        chosen = screen.lines.compactMap { $0.firstMatch(of: /\[ (\d+) \]/).flatMap { Int($0.1) } }.first
        rows = screen.lines.map { line in
            line.map { "[]".contains($0) ? " " : String($0) }.joined()
                .split(separator: " ").map(String.init).filter { $0 != "->" }
        }
    }

    // MARK: Count

    private static let things: Set = ["*", "o", "><>", "/^\\", "|_D", "<v>"]

    /// How many things are shown.
    var things: Int { rows.filter { Set($0).isSubset(of: Self.things) }.joined().count }

    /// The numbers to choose from.
    var numbers: [Int] {
        rows.first { $0.count > 1 && $0.allSatisfy { Int($0) != nil } }.map { $0.compactMap { Int($0) } }
            ?? []
    }

    // MARK: Pattern

    private var cells: [[String]] {
        rows.filter { $0.count >= 4 && $0.count % 2 == 0 && $0.allSatisfy { "●■*▲".contains($0) } }
    }

    /// The shapes of the pattern, row by row.
    var pattern: [String] { cells.flatMap { $0.prefix($0.count / 2) } }
    /// The shapes of the copy.
    var copy: [String] { cells.flatMap { $0.suffix($0.count / 2) } }
}
