/// `zahlen_wuerfel`: press up as often as the dice have pips.
struct DiceLevel: Hashable, Sendable {
    private(set) var view: DiceView

    /// Presses beyond this are not counted.
    static let longestCount = 40
    /// The most pips that a die has.
    private static let mostPips = 10

    /// One die for up to six pips at low challenges, for ten below a range of 20; else two.
    init(size: LevelSize, random: LevelRandom) {
        var random = random
        let challenge = size.challenge
        let pips = random.number(in: 1 + Int(10 * challenge)...3 + Int(17 * challenge))
        guard pips > 6 && size.numberRange > 10 || pips > Self.mostPips else {
            view = DiceView(dice: [pips])
            return
        }
        let first = random.number(in: max(1, pips - Self.mostPips)...min(Self.mostPips, pips - 1))
        view = DiceView(dice: [first, pips - first])
    }

    mutating func take(_ input: LevelInput, givesHint: Bool) -> LevelAnswer {
        switch input {
        case .up: view.pressed = min(view.pressed + 1, Self.longestCount)
        case .down: view.pressed = max(view.pressed - 1, 0)
        case .both where view.pressed == view.pips: return .solved
        case .both:
            return .mistake(.count(pressed: view.pressed, pips: view.pips, hint: givesHint))
        case .bothHeld: return .quit
        }
        return .pressed(view.pressed)
    }
}
