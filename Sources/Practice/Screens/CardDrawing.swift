/// What a card shows: drawings in ASCII, so that every terminal has them.
struct CardDrawing: Hashable, Sendable {
    let small: [String]
    let large: [String]
    let tint: Palette.Tint

    init(_ small: [String], large: [String]? = nil, _ tint: Palette.Tint) {
        self.small = small
        self.large = large ?? small
        self.tint = tint
    }

    init(_ avatar: Avatar) { self.init(avatar.drawing, .cyan) }

    init(_ activity: ActivityType) {
        switch activity {
        case .zahlenWuerfel:
            self.init(
                [" _____ ", "|o   o|", "|  o  |", "|o___o|"],
                large: [
                    "   _________ ", "  /    o   /|", " /___o____/ |", "|         | |", "|  o   o  |o|",
                    "|    o    | |", "|  o   o  | /", "|_________|/ ",
                ], .cyan)
        case .zahlenWaehle:
            self.init(
                ["       ", " 1 2 3 ", "  * *  ", "       "],
                large: [
                    "    *   *   *    ", "      *   *      ", "                 ", " .---..---..---. ",
                    " | 4 || 5 || 6 | ", " '---''---''---' ",
                ], .yellow)
        case .raetselPuzzle:
            self.init(
                ["+-+-+-+", "|o|#|o|", "|#|o|#|", "+-+-+-+"],
                large: [
                    "+---+---+---+", "| o | # | o |", "+---+---+---+", "| # | o | # |", "+---+---+---+",
                    "| o | # | o |", "+---+---+---+",
                ], .green)
        case .raetselLabyrinth:
            self.init(
                ["+---+ +", "| >   |", "| +-+ |", "+---+-+"],
                large: [
                    "+---+---+---+", "| *     |   |", "+---+   +   +", "|   |       |", "+   +---+   +",
                    "| >         |", "+---+---+---+",
                ], .magenta)
        }
    }

    static let chest = CardDrawing(
        ["  ___  ", " /___\\ ", " |_o_| ", " |___| "],
        large: [
            "   _________   ", "  /         \\  ", " /___________\\ ", " |    ___    | ", " |___| o |___| ",
            " |   |___|   | ", " |___________| ",
        ], .yellow)
    static let door = CardDrawing(
        ["  ___  ", " |   | ", " |  o| ", " |___| "],
        large: [
            "  _________  ", " |  _____  | ", " | |     | | ", " | |     | | ", " | |    o| | ",
            " | |     | | ", " |_|_____|_| ",
        ], .blue)
    static let video = CardDrawing(
        [" _____ ", "| |\\  |", "| |/  |", "|_____|"],
        large: [
            " _____________ ", "|     |\\      |", "|     | \\     |", "|     |  >    |", "|     | /     |",
            "|     |/      |", "|_____________|",
        ], .red)
    static let gift = CardDrawing(
        [" _\\_/_ ", "|__|__|", "|  |  |", "|__|__|"],
        large: [
            "     _\\ /_     ", " ______V______ ", "|_____| |_____|", " |    | |    | ", " |    | |    | ",
            " |____|_|____| ",
        ], .magenta)
    static let coin = CardDrawing([" .-. ", "( 1 )", " '-' "], .yellow)
}
