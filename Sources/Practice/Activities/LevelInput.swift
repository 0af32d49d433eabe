/// What a player can do in a level with two keys.
package enum LevelInput: CaseIterable, Hashable, Sendable {
    /// The up key was pressed.
    case up
    /// The down key was pressed.
    case down
    /// Both keys were pressed together and released.
    case both
    /// Both keys were held for two seconds: ends the level without a solution.
    case bothHeld
}
