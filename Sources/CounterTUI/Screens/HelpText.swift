/// The keys of a tab and the common keys, for the help.
struct HelpText {
    let theme: Theme
    let bindings: [KeyBinding]

    // At most nine lines of 36 columns, so that the help is one page at 40×12.
    var rows: [(keys: String, meaning: String)] {
        [("Volume keys", "count; both reset")] + bindings.compactMap(\.help)
    }

    private static let keyColumns = 19
    /// The inner width of a box on a screen of 40 columns.
    private static let sideBySide = 36

    /// Keys and meanings side by side, or in narrow boxes one below the other.
    func lines(columns: Int) -> [[Span]] {
        rows.flatMap { key, meaning -> [[Span]] in
            guard columns >= Self.sideBySide else {
                return [[Span(key, theme[.key])]] + meaning.wrapped(to: columns - 2).map { [Span("  " + $0)] }
            }
            let pad = String(repeating: " ", count: max(1, Self.keyColumns - key.count))
            return [[Span(key + pad, theme[.key]), Span(meaning)]]
        }
    }
}
