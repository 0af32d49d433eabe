import Practice

/// Small drawings in ASCII, so that every terminal shows them.
enum Drawings {
    static func of(_ activity: ActivityType) -> [String] {
        switch activity {
        case .zahlenWuerfel: [" _____ ", "|o   o|", "|  o  |", "|o___o|"]
        case .zahlenWaehle: ["       ", " 1 2 3 ", "  * *  ", "       "]
        case .raetselPuzzle: ["+-+-+-+", "|o|#|o|", "|#|o|#|", "+-+-+-+"]
        case .raetselLabyrinth: ["+---+ +", "| >   |", "| +-+ |", "+---+-+"]
        }
    }

    static let chest = ["  ___  ", " /___\\ ", " |_o_| ", " |___| "]
    static let door = ["  ___  ", " |   | ", " |  o| ", " |___| "]
    static let video = [" _____ ", "| |\\  |", "| |/  |", "|_____|"]
    static let gift = [" _\\_/_ ", "|__|__|", "|  |  |", "|__|__|"]
    static let star = ["   .   ", " __A__ ", "  \\ /  ", "  /^\\  "]

    /// A thing of `zahlen_waehle`, three columns wide.
    static func of(_ thing: ChoiceView.Thing) -> String {
        switch thing {
        case .star: " * "
        case .ball: " o "
        case .fish: "><>"
        case .tree: "/^\\"
        case .cup: "|_D"
        case .bird: "<v>"
        }
    }

    /// The pips of a die, in rows of at most four.
    static func pips(_ count: Int) -> [Int] {
        switch count {
        case ..<1: []
        case 1...3: [count]
        case 4: [2, 2]
        case 5: [2, 1, 2]
        case 6: [3, 3]
        case 7: [3, 1, 3]
        case 8: [3, 2, 3]
        case 9: [3, 3, 3]
        default: [3, 4, 3]
        }
    }
}
