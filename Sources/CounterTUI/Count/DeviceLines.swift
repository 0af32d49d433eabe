import Linux
import Reports

/// The input devices and how each is captured; where none can be read, the reason and the remedy.
struct DeviceLines {
    let model: CountViewModel
    let details: Action
    let theme: Theme

    private static let most = 3
    private static let gap = 3
    /// The columns of a location's name behind its device.
    private static let longestName = 16

    func lines(columns: Int) -> [Line] {
        guard !model.inputDevices.isEmpty || model.unreadable != nil else { return [] }
        let button = Span(columns >= 36 ? "[D Details]" : "[D]", theme[.label], details)
        let room = columns - button.columns - Self.gap
        var texts = problemLines(first: room, second: columns) + deviceLines(columns: room)
        if texts.isEmpty { texts = [[]] }
        return texts.enumerated().map { index, spans in .justified(spans, index == 0 ? [button] : []) }
    }

    // The first line shares its row with the details button.
    private func problemLines(first: Int, second: Int) -> [[Span]] {
        guard let problem = model.unreadable else { return [] }
        let reason = line(problem.problem.sanitised, theme[.noAccess], columns: first)
        guard let remedy = problem.hint?.sanitised else { return [reason] }
        return [reason, line(remedy, theme[.label], columns: second)]
    }

    private func line(_ text: String, _ style: Style, columns: Int) -> [Span] {
        [Span(text.truncated(to: columns, ellipsis: theme.ellipsis), style, details)]
    }

    private func deviceLines(columns: Int) -> [[Span]] {
        let rows = model.inputDevices.map { spans($0, columns: columns) }
            .rows(gap: Self.gap, columns: columns, width: \.columns)
        let gap = [Span(String(repeating: " ", count: Self.gap))]
        let lines = rows.prefix(Self.most).map { Array($0.joined(separator: gap)) }
        let rest = rows.dropFirst(Self.most).joined().count
        return lines + (rest > 0 ? [[Span("\(rest) more", theme[.quiet], details)]] : [])
    }

    private func spans(_ device: DeviceStatus, columns: Int) -> [Span] {
        let state = Span(" " + device.state.rawValue, theme[device.state.role], details)
        let arrow = theme.glyphs == .ascii ? " -> " : " → "
        let target = device.location.map {
            Span(
                arrow + $0.truncated(to: Self.longestName, ellipsis: theme.ellipsis), theme[.notice],
                details)
        }
        let facts = [state] + [target].compactMap(\.self)
        let room = max(1, min(30, columns - facts.columns))
        let name = device.name.truncated(to: room, ellipsis: theme.ellipsis)
        return [Span(name, theme[.label], details)] + facts
    }
}

extension DeviceState {
    var role: Theme.Role {
        switch self {
        case .exclusive: .exclusive
        case .shared: .shared
        case .noAccess: .noAccess
        }
    }
}

/// The details: each input device with its state, reason and remedy.
struct DetailsText {
    let model: CountViewModel
    let theme: Theme

    func lines(columns: Int) -> [[Span]] {
        var lines: [[Span]] = []
        if let problem = model.problem {
            lines += paragraph(problem.problem.sanitised, theme[.noAccess], columns)
            lines += instructions(of: problem, columns)
        }
        for device in model.inputDevices {
            if !lines.isEmpty { lines.append([]) }
            lines += self.lines(of: device, columns: columns)
        }
        return lines.isEmpty ? [[Span("No device has been seen yet.")]] : lines
    }

    // Commands start at the edge of the box, because they are long and users copy them.
    private func instructions(of problem: Diagnosis, _ columns: Int) -> [[Span]] {
        let steps = problem.steps.flatMap { step in
            paragraph(step.effect.sanitised, theme[.label], columns)
                + step.command.text.sanitised.wrapped(to: columns).map { [Span($0, theme[.key])] }
        }
        let rest = problem.note ?? (steps.isEmpty ? problem.hint : nil)
        return steps + paragraph(rest?.sanitised, theme[.label], columns)
    }

    private func lines(of device: DeviceStatus, columns: Int) -> [[Span]] {
        let state = Span(" " + device.state.rawValue, theme[device.state.role])
        let name = device.name.truncated(to: columns - state.columns, ellipsis: theme.ellipsis)
        return [[Span(name, theme[.caption]), state]]
            + paragraph(device.location.map { "counts into \($0)" }, theme[.notice], columns)
            + paragraph(device.reason, theme[.label], columns)
            + paragraph(device.remedy, theme[.label], columns)
    }

    private func paragraph(_ text: String?, _ style: Style, _ columns: Int) -> [[Span]] {
        (text ?? "").wrapped(to: columns - 2).map { [Span("  " + $0, style)] }
    }
}
