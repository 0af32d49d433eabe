/// The keys of a tab and those of all, for the help.
struct HelpText {
    let theme: Theme
    let bindings: [KeyBinding]

    // Nine lines of 36 columns: the help is one page at 40 by 12.
    var rows: [(keys: String, meaning: String)] {
        [("Volume keys", "count; both reset")] + bindings.compactMap(\.help)
    }

    private static let keyColumns = 19
    /// What a screen of 40 columns has in a box.
    private static let sideBySide = 36

    /// Keys and meanings side by side, or in narrow boxes one below the other.
    func lines(columns: Int) -> [[Span]] {
        rows.flatMap { key, meaning -> [[Span]] in
            guard columns >= Self.sideBySide else {
                return [[Span(key, theme[.key])]] + meaning.wrapped(to: columns - 2).map { [Span("  " + $0)] }
            }
            let pad = String(repeating: " ", count: Self.keyColumns - key.count)
            return [[Span(key + pad, theme[.key]), Span(meaning)]]
        }
    }
}
