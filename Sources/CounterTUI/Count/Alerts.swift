import Linux

/// A kind of alert, the most severe first.
enum Alert: Hashable {
    /// Ends of timers that nobody has acknowledged.
    case alarm
    case notStored, warning, notice
}

extension CountViewModel {
    /// The alerts, in the rows that a screen has for them; a line that is wider than the screen is cut off. A text may take up to a
    /// quarter of the rows. A tab has at least two, besides the top line and the key line.
    func alerts(in size: Size) -> [(kind: Alert, text: String)] {
        let alarm = alarm.map { [(Alert.alarm, $0)] } ?? []
        let unstored = notStored > 0 ? [(Alert.notStored, " \(notStored) not stored ")] : []
        let notice = notice?.split(separator: "\n").map(String.init) ?? []
        let told = [(Alert.warning, warning), (.notice, notice)].flatMap { kind, text in
            Self.lines(text, columns: size.columns - 2, most: max(1, size.rows / 4)).map { (kind, $0) }
        }
        return Array((alarm + unstored + told).prefix(max(0, size.rows - 4)))
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

    func all(in size: Size) -> [Line] {
        model.alerts(in: size).map { kind, text in
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
        var span = Span(fitting + button, style, model.mayChange ? acknowledge : nil)
        span.isUrgent = true
        return .centred([span])
    }

    private func role(of kind: Alert) -> Theme.Role {
        switch kind {
        case .alarm, .notStored: .alert
        case .warning: model.flash == .notice && model.notice == nil ? .alert : .notice
        case .notice: model.flash == .notice ? .alert : .notice
        }
    }
}
