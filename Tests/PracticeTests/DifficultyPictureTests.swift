import Testing

/// The picture in docs/practice.md, drawn from the simulated players. `make picture` draws it again.
@Suite struct DifficultyPictureTests {
    @Test func `The picture shows what the simulation gives`() throws {
        try expectFile("docs/practice-difficulty.svg", DifficultyPicture().svg)
    }
}

/// The difficulty over 60 levels, for three abilities: the mean of 1,000 players, one standard deviation around it, and the
/// difficulty at which four of five levels are solved.
struct DifficultyPicture {
    private static let (width, height, levels) = (720, 340, 60)
    private static let abilities = [(0.9, "#2f81f7"), (0.65, "#2da44e"), (0.4, "#d4760a")]

    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(Self.height)" \
        font-family="sans-serif" font-size="13" fill="#808080">
        <title>Difficulty of 3,000 simulated players over 60 levels</title>
        \(axes)
        \(Self.abilities.enumerated().map { group($0.offset, ability: $0.element.0, color: $0.element.1) }
            .joined(separator: "\n"))
        </svg>

        """
    }

    private var axes: String {
        let rows = (0...5).map { step in
            let y = y(Double(step) / 5)
            return """
                <line x1="45" x2="700" y1="\(y)" y2="\(y)" stroke="#808080" stroke-opacity="0.25"/>\
                <text x="36" y="\(y + 4)" text-anchor="end">\(step == 5 ? "1.0" : "0.\(step * 2)")</text>
                """
        }
        let columns = stride(from: 0, through: Self.levels, by: 10).map {
            "<text x=\"\(x($0))\" y=\"312\" text-anchor=\"middle\">\($0)</text>"
        }
        let name = "<text x=\"372\" y=\"332\" text-anchor=\"middle\">levels played</text>"
        return (rows + columns + [name]).joined(separator: "\n")
    }

    private func group(_ number: Int, ability: Double, color: String) -> String {
        var players = (0..<1_000).map { SimulatedPlayer(ability: ability, seed: UInt64(number * 1_000 + $0)) }
        let rest = y(players[0].restingDifficulty)
        var spreads = [Spread([0.3])]
        for _ in 1...Self.levels { spreads.append(Spread(players.indices.map { players[$0].play() })) }
        let (low, high) = (line(spreads.map(\.low)), line(spreads.map(\.high)))
        return """
            <polygon points="\((low + high.reversed()).joined(separator: " "))" fill="\(color)" opacity="0.2"/>
            <polyline points="\(line(spreads.map(\.mean)).joined(separator: " "))" fill="none" stroke="\(color)" \
            stroke-width="2"/>
            <line x1="45" x2="700" y1="\(rest)" y2="\(rest)" stroke="\(color)" stroke-dasharray="6 4"/>
            """
    }

    /// The points of a value after each level.
    private func line(_ values: [Double]) -> [String] {
        values.enumerated().map { "\(x($0.offset)),\(y($0.element))" }
    }

    private func x(_ level: Int) -> Int { 45 + level * 655 / Self.levels }
    private func y(_ difficulty: Double) -> Int { 290 - Int((difficulty * 270).rounded()) }
}

/// The mean of some values, and one standard deviation below and above it.
private struct Spread {
    let (low, mean, high): (Double, Double, Double)

    init(_ values: [Double]) {
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
        (low, self.mean, high) = (mean - variance.squareRoot(), mean, mean + variance.squareRoot())
    }
}
