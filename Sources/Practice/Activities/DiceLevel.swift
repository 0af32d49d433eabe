/// `zahlen_wuerfel`: press up as often as the dice have pips.
struct DiceLevel: Hashable, Sendable {
    private(set) var view: DiceView

    /// Presses beyond this are not counted.
    static let longestCount = 40
    /// The most pips that a die has.
    private static let mostPips = 10

    /// One die in the number range of 10; above it two for more than six pips.
    init(size: LevelSize, random: LevelRandom) {
        var random = random
        let challenge = size.challenge
        let most = min(3 + Int(17 * challenge), size.numberRange)
        let pips = random.number(in: 1 + Int(12 * challenge)...most)
        guard size.numberRange > Self.mostPips, pips > 6 else {
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
