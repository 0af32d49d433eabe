/// The figures that players choose from. The raw values are stored, and are spoken as the figures' names.
package enum Avatar: String, CaseIterable, Sendable {
    /// Animals that can be told apart in three lines of ASCII.
    case bear, cat, dog, rabbit, owl, mouse, fox, frog, pig, fish, bird, turtle

    /// Three lines of seven ASCII characters.
    package var drawing: [String] {
        switch self {
        case .bear: [" n___n ", " (o o) ", "  (Y)  "]
        case .cat: [" /\\_/\\ ", "( o.o )", " > ^ < "]
        case .dog: [" __ __ ", "(|o o|)", "  \\o/  "]
        case .rabbit: [" () () ", " (o.o) ", " (\")(\")"]
        case .owl: [" ,___, ", " {O,O} ", " /)_(\\ "]
        case .mouse: ["()___()", " (o o) ", "  `o'~ "]
        case .fox: [" /\\ /\\ ", " \\o o/ ", "  \\./  "]
        case .frog: [" @...@ ", "(-----)", "(>___<)"]
        case .pig: [" ^___^ ", " (o o) ", " ( \" ) "]
        case .fish: ["  ,--. ", "><   o>", "  `--' "]
        case .bird: ["   __  ", " <(o )_", "  (__/ "]
        case .turtle: ["  ____ ", "o/####\\", " \"\"  \"\""]
        }
    }
}
