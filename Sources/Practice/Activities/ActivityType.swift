/// The activities. The raw values are stored, and stay what they are.
package enum ActivityType: String, CaseIterable, Sendable {
    /// Copy a coloured pattern.
    case raetselPuzzle = "raetsel_puzzle"
    /// Lead a figure to the goal of a labyrinth.
    case raetselLabyrinth = "raetsel_labyrinth"
    /// Press a key as often as a die has pips.
    case zahlenWuerfel = "zahlen_wuerfel"
    /// Count things and choose the number.
    case zahlenWaehle = "zahlen_waehle"
}
