import CounterTUI

/// `zahlen_wuerfel`: press up as often as the dice have pips.
package struct Dice: Hashable, Sendable, GameRules {
    /// The pips of each die, 1...10; one or two dice.
    package let dice: [Int]
    package private(set) var pressed = 0
    /// A hint was given: what is missing or too much is drawn too.
    private var isTold = false

    package var pips: Int { dice.reduce(0, +) }

    private static let longestCount = 40
    private static let mostPips = 10

    /// One die in the number range of 10; above it two for more than six pips.
    init(_ size: LevelSize, _ random: inout LevelRandom) {
        let challenge = size.challenge
        let most = min(3 + Int(17 * challenge), size.numberRange)
        let pips = random.number(in: 1 + Int(12 * challenge)...most)
        guard size.numberRange > Self.mostPips, pips > 6 else {
            dice = [pips]
            return
        }
        let first = random.number(in: max(1, pips - Self.mostPips)...min(Self.mostPips, pips - 1))
        dice = [first, pips - first]
    }

    var game: Game { .dice(self) }

    mutating func up() -> LevelAnswer {
        pressed = min(pressed + 1, Self.longestCount)
        return .number(pressed)
    }

    mutating func down() -> LevelAnswer {
        pressed = max(pressed - 1, 0)
        return .number(pressed)
    }

    mutating func both(givesHint: Bool) -> LevelAnswer {
        isTold = isTold || givesHint
        return pressed == pips ? .solved : .mistake(hint: givesHint)
    }

    var missing: Int { abs(pips - pressed) }
}

// MARK: - Drawing

/// The dice, and a dot for each press.
extension Dice {
    func drawings(_ palette: Palette) -> [Grid] {
        let large = dice.map { Self.largeDie($0, palette) }.inARow(gap: 4)
        let dots = Grid([Self.groups(presses(palette))], palette.title)
        let number = LargeNumber(pressed, in: Size(columns: 14, rows: 5), glyphs: palette.look.glyphs)
        let digits = Grid(number.rows.map { String($0.map(\.character)) }, palette[.yellow])
        let plain = dots.above(Grid(["\(pressed)"], palette.title))
        return [
            large.above(dots, gap: 1).above(digits, gap: 1), large.above(plain, gap: 1),
            dice.map { Self.die($0, palette) }.inARow(gap: 2).above(plain),
        ]
    }

    func compact(_ palette: Palette, in space: Size) -> Grid {
        let rows = stride(from: 0, to: pips, by: 10).map {
            Self.groups(Array(repeating: palette.dot, count: min(10, pips - $0)))
        }
        return Grid(rows, palette[.cyan]).above(Grid(["= \(pressed)"], palette.title))
    }

    /// A dot for each press. After a hint, rings for those that are missing, and crosses for those too many.
    private func presses(_ palette: Palette) -> [String] {
        let right = isTold ? min(pressed, pips) : pressed
        let others = isTold ? Array(repeating: pressed < pips ? palette.ring : "x", count: missing) : []
        return Array(repeating: palette.dot, count: right) + others
    }

    private static func groups(_ dots: [String]) -> String {
        stride(from: 0, to: dots.count, by: 5).map { dots[$0..<min($0 + 5, dots.count)].joined() }
            .joined(separator: " ")
    }

    /// A die of five rows.
    private static func die(_ pips: Int, _ palette: Palette) -> Grid {
        let inside = rows(pips).map { count in
            Grid(
                [Array(repeating: palette.dot, count: count).joined(separator: count == 2 ? "   " : " ")],
                palette[.cyan])
        }
        return die(inside, width: 9, gap: 0, palette)
    }

    /// A die whose pips have two rows.
    private static func largeDie(_ pips: Int, _ palette: Palette) -> Grid {
        let inside = rows(pips).map { count in
            Array(repeating: Grid(palette.pip, palette[.cyan]), count: count)
                .inARow(gap: count == 2 ? 8 : 2)
        }
        let rows = inside.map { $0.height == 0 ? .blank(width: 0, height: 2) : $0 }
        return die(rows, width: 28, gap: 1, palette)
    }

    private static func die(_ rows: [Grid], width: Int, gap: Int, _ palette: Palette) -> Grid {
        let pips = rows.inAColumn(gap: gap).above(.blank(width: width, height: 0))
        let margin = Grid.blank(width: width, height: gap)
        return palette.box(margin.above(pips).above(margin), margin: 0, palette[.cyan])
    }

    private static func rows(_ pips: Int) -> [Int] {
        switch pips {
        case ..<4: [0, pips, 0]
        case 4: [2, 0, 2]
        case 5: [2, 1, 2]
        case 6: [3, 0, 3]
        case 7: [3, 1, 3]
        case 8: [3, 2, 3]
        case 9: [3, 3, 3]
        default: [3, 4, 3]
        }
    }
}
