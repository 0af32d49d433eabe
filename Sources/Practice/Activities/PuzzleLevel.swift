/// `raetsel_puzzle`: copy the pattern. The copy begins with the first colour everywhere.
struct PuzzleLevel: Hashable, Sendable {
    private(set) var view: PuzzleView

    /// The number of cells in another than the first colour grows with the challenge, from 2 to 24.
    init(size: LevelSize, random: LevelRandom) {
        var random = random
        let cells = size.puzzleGridSize * size.puzzleGridSize
        let colors = Array(PuzzleView.Color.allCases.prefix(size.puzzleColorCount))
        var pattern = Array(repeating: colors[0], count: cells)
        let changed = 2 + Int(22 * size.labyrinthComplexity)
        for cell in random.shuffled(Array(pattern.indices)).prefix(min(changed, cells)) {
            pattern[cell] = random.element(of: Array(colors.dropFirst()))
        }
        view = PuzzleView(
            size: size.puzzleGridSize, colorCount: colors.count, pattern: pattern,
            copy: Array(repeating: colors[0], count: cells))
    }

    mutating func take(_ input: LevelInput, givesHint: Bool) -> LevelAnswer {
        switch input {
        case .up:
            view.cursor = (view.cursor + 1) % view.pattern.count
            return .cell(view.cursor)
        case .down:
            let next = (view.copy[view.cursor].rawValue + 1) % view.colorCount
            view.copy[view.cursor] = PuzzleView.Color.allCases[next]
            return .color(view.copy[view.cursor])
        case .both:
            let first = view.pattern.indices.first { view.pattern[$0] != view.copy[$0] }
            guard let first else { return .solved }
            return .mistake(
                .pattern(differences: view.differences, firstCell: first, hint: givesHint))
        case .bothHeld: return .quit
        }
    }
}
