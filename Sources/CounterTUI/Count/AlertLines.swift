/// The alerts as lines: unstored changes, lasting warnings, and the last notice.
struct AlertLines {
    let model: CountViewModel
    let theme: Theme

    /// The lines for a screen of `size`; empty where there is no alert.
    func lines(in size: Size) -> [Line] {
        Alerts(model, in: size).lines.map { kind, text in
            let fitting = text.truncated(to: size.columns - 2, ellipsis: theme.look.ellipsis)
            return .centred([Span(fitting, theme[role(of: kind)])])
        }
    }

    private func role(of kind: Alerts.Kind) -> Theme.Role {
        switch kind {
        case .notStored: .alert
        case .warning: model.flash == .notice && model.notice == nil ? .alert : .notice
        case .notice: model.flash == .notice ? .alert : .notice
        }
    }
}
