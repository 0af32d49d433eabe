/// The keys, for the help.
struct HelpText {
    let theme: Theme

    // Nine lines of 36 columns: the help is one page at 40 by 12.
    private static let keys = [
        ("Volume up, down", "count up or down"),
        ("Both together", "reset"),
        ("+ = Up Right", "count up"),
        ("- Down Left", "count down"),
        ("R, U", "reset to 0, undo"),
        ("D", "sources, remedies"),
        ("V", "hold keys on, off"),
        ("1-9 Tab", "screens"),
        ("?, Q or Ctrl-C", "help, leave"),
    ]
    private static let keyColumns = 17

    /// Keys and meanings side by side, or in narrow boxes one below the other.
    func lines(columns: Int) -> [[Span]] {
        Self.keys.flatMap { key, meaning -> [[Span]] in
            guard columns >= Self.keyColumns * 2 else {
                return [[Span(key, theme[.key])]] + meaning.wrapped(to: columns - 2).map { [Span("  " + $0)] }
            }
            let pad = String(repeating: " ", count: Self.keyColumns - key.count)
            return [[Span(key + pad, theme[.key]), Span(meaning)]]
        }
    }
}

/// Each source with its state, reason and remedy.
struct DetailsText {
    let model: CountViewModel
    let theme: Theme

    func lines(columns: Int) -> [[Span]] {
        var lines: [[Span]] = []
        if let problem = model.problem {
            lines += paragraph(problem.reason, theme[.noAccess], columns)
            lines += paragraph(problem.remedy, theme[.label], columns)
        }
        for source in model.sources {
            if !lines.isEmpty { lines.append([]) }
            lines += self.lines(of: source, columns: columns)
        }
        return lines.isEmpty ? [[Span("No source has been seen yet.")]] : lines
    }

    private func lines(of source: SourceStatus, columns: Int) -> [[Span]] {
        let state = Span(" " + source.state.rawValue, theme[source.state.role])
        let name = source.name.truncated(to: columns - state.columns, ellipsis: theme.look.ellipsis)
        return [[Span(name, theme[.caption]), state]]
            + paragraph(source.reason, theme[.label], columns)
            + paragraph(source.remedy, theme[.label], columns)
    }

    private func paragraph(_ text: String?, _ style: Style, _ columns: Int) -> [[Span]] {
        (text ?? "").wrapped(to: columns - 2).map { [Span("  " + $0, style)] }
    }
}
