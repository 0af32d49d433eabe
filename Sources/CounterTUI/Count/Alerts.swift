import Linux

/// The alerts, in the rows that a screen has for them, the most severe first.
struct Alerts {
    enum Kind: Hashable {
        /// Ends of timers that nobody has acknowledged.
        case alarm
        case notStored
        case warning
        case notice
    }

    /// The lines; one that is wider than the screen is cut off.
    let lines: [(kind: Kind, text: String)]

    // A tab has at least two rows, besides the top line and the key line.
    private static let otherRows = 4

    /// A text may take up to a quarter of the rows.
    init(_ model: CountViewModel, in size: Size) {
        let alarm = model.alarm.map { [(Kind.alarm, $0)] } ?? []
        let notStored = model.notStored > 0 ? [(Kind.notStored, " \(model.notStored) not stored ")] : []
        let notice = model.notice?.split(separator: "\n").map(String.init) ?? []
        let texts = [(Kind.warning, model.warning), (.notice, notice)]
        let told = texts.flatMap { kind, text in
            Self.lines(text, columns: size.columns - 2, most: max(1, size.rows / 4)).map { (kind, $0) }
        }
        lines = Array((alarm + notStored + told).prefix(max(0, size.rows - Self.otherRows)))
    }

    // Users copy remedies, so a remedy starts a new line if it does not fit behind the problem.
    private static func lines(_ sentences: [String], columns: Int, most: Int) -> [String] {
        let whole = sentences.joined(separator: " ").sanitised.wrapped(to: columns)
        let lines = whole.count > 1 ? sentences.flatMap { $0.sanitised.wrapped(to: columns) } : whole
        if lines.count <= most { return lines }
        return lines.prefix(most - 1) + [lines.dropFirst(most - 1).joined(separator: " ")]
    }
}

/// The alerts as lines: unstored changes, lasting warnings, and the last notice.
struct AlertLines {
    let model: CountViewModel
    let context: ScreenContext
    let theme: Theme

    /// The lines for a screen of `size`; empty where there is no alert.
    func lines(in size: Size) -> [Line] {
        Alerts(model, in: size).lines.map { kind, text in
            if kind == .alarm { return alarm(text, columns: size.columns - 2) }
            let fitting = text.truncated(to: size.columns - 2, ellipsis: theme.ellipsis)
            return .centred([Span(fitting, theme[role(of: kind)])])
        }
    }

    /// A click anywhere on it acknowledges, if the user may.
    private func alarm(_ text: String, columns: Int) -> Line {
        let button = !model.mayChange ? "" : columns >= 50 ? "  [Enter Acknowledge]" : "  [Enter]"
        let isPlain = theme.glyphs == .ascii
        let signs = String(repeating: isPlain ? "!" : "⏰", count: model.insistence) + " "
        let room = columns - button.count - CharacterWidth.columns(signs)
        let fitting = signs + text.sanitised.truncated(to: room, ellipsis: theme.ellipsis)
        let style = model.flash == .alarm ? theme[.alert].reversed : theme[.alert]
        let acknowledge = { context.program?.acknowledge() ?? () }
        return .centred([Span(fitting + button, style, model.mayChange ? acknowledge : nil)])
    }

    private func role(of kind: Alerts.Kind) -> Theme.Role {
        switch kind {
        case .alarm, .notStored: .alert
        case .warning: model.flash == .notice && model.notice == nil ? .alert : .notice
        case .notice: model.flash == .notice ? .alert : .notice
        }
    }
}
