/// A statement of the program about the journal, made to its user.
enum Claim: Equatable {
    /// The count, printed or in the terminal's title.
    case count(Int)
    /// How many lines an import has stored.
    case imported(Int)

    /// Nil if the text has no such statement.
    init?(_ text: String) {
        if let count = Int(text.dropLast()) {
            self = .count(count)
        } else if let title = text.ranges(of: "\u{1B}]2;Count ").last,
            let count = Self.number(at: title, text)
        {
            self = .count(count)
        } else if let word = text.firstRange(of: "accepted "), let count = Self.number(at: word, text) {
            self = .imported(count)
        } else {
            return nil
        }
    }

    private static func number(at range: Range<String.Index>, _ text: String) -> Int? {
        Int(text[range.upperBound...].prefix { $0 == "-" || $0.isNumber })
    }

    func isTrue(of contents: Inspection.Contents) -> Bool {
        switch self {
        case .count(let count): contents.level == count
        case .imported(let count): contents.imported == count
        }
    }
}
