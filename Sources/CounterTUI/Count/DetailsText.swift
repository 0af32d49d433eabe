import Linux

/// The details: each input device with its state, reason and remedy.
struct DetailsText {
    let model: CountViewModel
    let theme: Theme

    func lines(columns: Int) -> [[Span]] {
        var lines: [[Span]] = []
        if let problem = model.problem {
            lines += paragraph(problem.reason, theme[.noAccess], columns)
            lines += instructions(of: problem, columns)
        }
        for device in model.inputDevices {
            if !lines.isEmpty { lines.append([]) }
            lines += self.lines(of: device, columns: columns)
        }
        return lines.isEmpty ? [[Span("No device has been seen yet.")]] : lines
    }

    // Commands start at the edge of the box, because they are long and users copy them.
    private func instructions(of problem: DeviceProblem, _ columns: Int) -> [[Span]] {
        if problem.instructions.isEmpty { return paragraph(problem.remedy, theme[.label], columns) }
        return problem.instructions.flatMap { instruction in
            switch instruction {
            case .text(let text): paragraph(text.sanitised, theme[.label], columns)
            case .command(let command): command.sanitised.wrapped(to: columns).map { [Span($0, theme[.key])] }
            }
        }
    }

    private func lines(of device: DeviceStatus, columns: Int) -> [[Span]] {
        let state = Span(" " + device.state.rawValue, theme[device.state.role])
        let name = device.name.truncated(to: columns - state.columns, ellipsis: theme.look.ellipsis)
        return [[Span(name, theme[.caption]), state]]
            + paragraph(device.location.map { "counts into \($0)" }, theme[.notice], columns)
            + paragraph(device.reason, theme[.label], columns)
            + paragraph(device.remedy, theme[.label], columns)
    }

    private func paragraph(_ text: String?, _ style: Style, _ columns: Int) -> [[Span]] {
        (text ?? "").wrapped(to: columns - 2).map { [Span("  " + $0, style)] }
    }
}
