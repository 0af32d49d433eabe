/// The keys, for the help.
struct HelpText {
    let theme: Theme

    private static let keys = [
        ("Volume up, down", "count up, count down"),
        ("Both together", "reset"),
        ("+ = Up Right", "count up"),
        ("- Down Left", "count down"),
        ("R", "reset to 0"),
        ("U", "undo the last change"),
        ("D", "sources, reasons, remedies"),
        ("V", "give the volume keys back, take them"),
        ("1-9 Tab", "screens"),
        ("?", "this help"),
        ("Q Ctrl-C", "leave"),
    ]

    func lines(columns: Int) -> [[Span]] {
        let keyColumns = 17
        return Self.keys.flatMap { key, meaning -> [[Span]] in
            let texts = meaning.wrapped(to: columns - keyColumns)
            return texts.enumerated().map { index, text in
                let shown = index == 0 ? key : ""
                let pad = String(repeating: " ", count: keyColumns - shown.count)
                return [Span(shown + pad, theme[.key]), Span(text)]
            }
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
