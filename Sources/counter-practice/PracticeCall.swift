import Glibc
import Linux

/// What the program is asked to do. `counter practice` has read the command line for people, and passes this:
///
/// | words after the data directory | do |
/// |---|---|
/// | `play`, `play --voice` | open the screens |
/// | `report`, `report NAME` | print the reports |
/// | `pin --reset` | remove the PIN |
/// | `erase NAME`, `erase NAME --yes` | erase a player |
enum PracticeCall: Hashable {
    case play(speaks: Bool)
    case report(name: String?)
    case resetPIN
    case erase(name: String, asks: Bool)

    /// Reads the words after the data directory; `nil` where they are none of the table.
    init?(_ words: ArraySlice<String>) {
        let rest = Array(words.dropFirst())
        switch (words.first, rest.count) {
        case ("play", 0): self = .play(speaks: false)
        case ("play", 1) where rest[0] == "--voice": self = .play(speaks: true)
        case ("report", 0...1): self = .report(name: rest.first)
        case ("pin", 1) where rest[0] == "--reset": self = .resetPIN
        case ("erase", 1): self = .erase(name: rest[0], asks: true)
        case ("erase", 2) where rest[1] == "--yes": self = .erase(name: rest[0], asks: false)
        default: return nil
        }
    }
}
