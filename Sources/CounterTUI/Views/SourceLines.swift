/// The sources and how each is held; where none can be read, why and what to do.
struct SourceLines {
    let model: CountViewModel
    let theme: Theme

    private static let most = 3
    private static let gap = 3

    /// The lines, the ones that matter most first.
    func lines(columns: Int) -> [Line] {
        guard !model.sources.isEmpty || model.unreadable != nil else { return [] }
        let button = Span(columns >= 36 ? "[D Details]" : "[D]", theme[.label], .toggleDetails)
        let room = columns - button.columns - Self.gap
        var texts = problemLines(columns: room) + sourceLines(columns: room)
        if texts.isEmpty { texts = [[]] }
        return texts.enumerated().map { index, spans in .justified(spans, index == 0 ? [button] : []) }
    }

    private func problemLines(columns: Int) -> [[Span]] {
        guard let problem = model.unreadable else { return [] }
        return [(problem.reason, Theme.Role.noAccess), (problem.remedy, .label)].compactMap { text, role in
            guard let text else { return nil }
            let short = text.truncated(to: columns, ellipsis: theme.look.ellipsis)
            return [Span(short, theme[role], .toggleDetails)]
        }
    }

    private func sourceLines(columns: Int) -> [[Span]] {
        var lines: [[Span]] = [[]]
        for (index, source) in model.sources.enumerated() {
            let spans = spans(source, columns: columns)
            let used = lines[lines.count - 1].columns
            if used > 0, used + Self.gap + spans.columns > columns {
                guard lines.count < Self.most else {
                    return withRest(lines, model.sources.count - index, columns)
                }
                lines.append([])
            }
            let separator =
                lines[lines.count - 1].isEmpty ? [] : [Span(String(repeating: " ", count: Self.gap))]
            lines[lines.count - 1] += separator + spans
        }
        return model.sources.isEmpty ? [] : lines
    }

    private func withRest(_ lines: [[Span]], _ count: Int, _ columns: Int) -> [[Span]] {
        lines + [[Span("\(count) more", theme[.quiet], .toggleDetails)]]
    }

    private func spans(_ source: SourceStatus, columns: Int) -> [Span] {
        let state = Span(" " + source.state.rawValue, theme[source.state.role], .toggleDetails)
        let room = max(1, min(30, columns - state.columns))
        let name = source.name.truncated(to: room, ellipsis: theme.look.ellipsis)
        return [Span(name, theme[.label], .toggleDetails), state]
    }
}

extension SourceStatus.State {
    var role: Theme.Role {
        switch self {
        case .held: .held
        case .shared: .shared
        case .noAccess: .noAccess
        }
    }
}
