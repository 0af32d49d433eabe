import System

/// What is wrong, in the lines that a screen has for it, the worst first.
struct Alerts {
    /// What a line is about.
    enum Kind: Hashable {
        /// Changes that wait to be stored.
        case notStored
        /// What stays wrong until somebody mends it.
        case warning
        /// The last notice.
        case notice
    }

    /// Each may be longer than the screen is wide: then it is cut off.
    let lines: [(kind: Kind, text: String)]

    // A tab has two rows at least, beside the top line and the keys.
    private static let otherRows = 4

    /// A text has up to a quarter of the rows.
    init(_ model: CountViewModel, in size: Size) {
        let notStored = model.notStored > 0 ? [(Kind.notStored, " \(model.notStored) not stored ")] : []
        let texts = [(Kind.warning, model.warning), (.notice, [model.notice].compactMap(\.self))]
        let told = texts.flatMap { kind, text in
            Self.lines(text, columns: size.columns - 2, most: max(1, size.rows / 4)).map { (kind, $0) }
        }
        lines = Array((notStored + told).prefix(max(0, size.rows - Self.otherRows)))
    }

    // A remedy is copied, so it begins a line of its own where it cannot stand behind what is wrong.
    private static func lines(_ sentences: [String], columns: Int, most: Int) -> [String] {
        let whole = sentences.joined(separator: " ").harmless.wrapped(to: columns)
        let lines = whole.count > 1 ? sentences.flatMap { $0.harmless.wrapped(to: columns) } : whole
        if lines.count <= most { return lines }
        return lines.prefix(most - 1) + [lines.dropFirst(most - 1).joined(separator: " ")]
    }
}
