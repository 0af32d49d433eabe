/// What an input did in a level. Sounds and spoken texts are made from it.
package enum LevelAnswer: Hashable, Sendable {
    /// The dice: this many presses so far.
    case pressed(Int)
    /// The choice: at this number now.
    case number(Int)
    /// The choice: there is no number in that direction.
    case noFurther(Int)
    /// The choice: a right number, and another question follows.
    case nextQuestion
    /// The puzzle: at this cell now.
    case cell(Int)
    /// The puzzle: the cell's new colour.
    case color(PuzzleView.Color)
    /// The labyrinth: looks in this direction now.
    case turned(LabyrinthView.Direction)
    /// The labyrinth: at this cell now.
    case walked(Int)
    /// The labyrinth: the key to press next.
    case hint(LevelInput)
    /// Not right: what is wrong. After several mistakes a hint says what to do.
    case mistake(Mistake)
    /// The level is solved.
    case solved
    /// The player quit.
    case quit
    /// The level has ended; the input did nothing.
    case ended

    /// What is wrong.
    package enum Mistake: Hashable, Sendable {
        /// The dice: pressed so often, which is not the number of pips; a hint says how many are missing, or too many if
        /// below 0.
        case count(pressed: Int, pips: Int, hint: Bool)
        /// The choice: not this number; a hint says the right one.
        case choice(Int, count: Int, hint: Bool)
        /// The puzzle: so many cells differ; a hint says which is the first.
        case pattern(differences: Int, firstCell: Int, hint: Bool)
        /// The labyrinth: walked to a dead end.
        case deadEnd(Int)
    }
}
