import Linux

/// The Count screen: the number under the name of its location where there are several, its caption, and at the bottom the alerts, the input devices and the keys.
///
/// ```
///  1 Count                  Hall  Count 1234     top line (TopLineView)
///                   Hall                         name
///               █ ▛▜ ▀▜ █▐                       number
///  Count 1234   OK   61 %   +1 at 14:03:22       caption
///       ███████░░░  1234 of 2000  766 left       capacity
///       ███████░░░  1234 of 2000  766 left       target
///                2 not stored                    alert
///  [a Robin 1234] [s Wren 3]                     locations with keys
///  Knob exclusive  Pen shared     [D Details]    input devices
///  [R Reset] [U Undo] [-] [+]        [? Help]    keys
/// ```
struct CountView {
    let model: CountViewModel
    let context: ScreenContext
    let theme: Theme
    let digits: DigitGlyphs

    /// Draws below the top line, with the lines of the keys at the bottom; returns the layout.
    func draw(into frame: inout Frame, keys: [Line]) -> CountLayout {
        let size = frame.grid.size
        let plan = CountLayout(
            rows: size.rows - 1, name: name(columns: size.columns), caption: captions(columns: size.columns),
            alerts: AlertLines(model: model, context: context, theme: theme).all(in: size),
            keyed: KeyedLocationLines(model: model, context: context, theme: theme).lines(
                columns: size.columns - 2),
            timers: timerLine(columns: size.columns - 2),
            inputDevices: DeviceLines(model: model, details: { context.toggle(.details) }, theme: theme)
                .lines(columns: size.columns - 2),
            keys: keys)
        for (row, line) in zip((size.rows - plan.footer.count)..., plan.footer) {
            line.draw(into: &frame, row: row)
        }
        drawNumber(plan, over: nil, into: &frame)
        return plan
    }

    /// Draws the number and its caption over those of `level`, on a screen where nothing else has changed. False where the
    /// layout would change, so that the whole screen has to be drawn.
    func redraw(_ plan: CountLayout, over frame: inout Frame, showing level: Int) -> Bool {
        guard let plan = plan.with(caption: captions(columns: frame.grid.size.columns)) else { return false }
        drawNumber(plan, over: level, into: &frame)
        return true
    }

    /// The timers that fit, the first in any case, and how many more there are: `T 0:26  0 in, 0 out   +1`.
    private func timerLine(columns: Int) -> [Line] {
        guard let first = model.timers.first?.sanitised else { return [] }
        func text(_ shown: Int) -> String {
            let rest = model.timers.count - shown
            let texts = model.timers.prefix(shown).map(\.sanitised) + (rest > 0 ? ["+\(rest)"] : [])
            return texts.joined(separator: "   ")
        }
        let fitting = (1...model.timers.count).map(text).last { CharacterWidth.columns($0) <= columns }
        let room = columns - CharacterWidth.columns(text(1)) + CharacterWidth.columns(first)
        let cut = first.truncated(to: room, ellipsis: theme.ellipsis) + text(1).dropFirst(first.count)
        return [.justified([Span(fitting ?? cut, theme[.caption])], [])]
    }

    // Centres the number and its caption together in the remaining rows.
    private func drawNumber(_ plan: CountLayout, over level: Int?, into frame: inout Frame) {
        let rows = (1 + plan.margin)..<(frame.grid.size.rows - plan.footer.count)
        let below = plan.caption.count + plan.air
        let above = plan.name.count
        let space = Size(columns: frame.grid.size.columns, rows: max(0, rows.count - above - below))
        func large(_ level: Int) -> LargeNumber { LargeNumber(level, in: space, digits) }
        let number = large(model.level)
        let before = level.map(large).flatMap { $0.hasShape(of: number) ? $0 : nil }
        let top = rows.lowerBound + above + (space.rows - number.height) / 2
        let captions = (top + number.height + plan.air)..<(top + number.height + below)
        if level != nil { frame.grid.clear(rows: before == nil ? rows : captions) }
        draw(number, over: before, into: &frame, rows: top..<(top + number.height))
        for line in plan.name { line.draw(into: &frame, row: top - 1) }
        for (row, line) in zip(captions, plan.caption) { line.draw(into: &frame, row: row) }
    }

    /// Draws the number in the middle of `rows`, over one of the same shape.
    func draw(
        _ number: LargeNumber, over before: LargeNumber? = nil, into frame: inout Frame, rows: Range<Int>
    ) {
        let view = NumberView(number: number) { row, rows in
            theme.digits(row: row, of: rows, model.state)
        }
        let area = Area(rows: rows, columns: frame.grid.size.columns)
        view.draw(into: &frame, in: area, over: before)
        if model.flash == .number || model.flash == .alarm { view.flash(into: &frame, in: area) }
    }

    private func name(columns: Int) -> [Line] {
        guard context.locations.all.count > 1, let name = model.location?.sanitised else { return [] }
        return [
            .centred([Span(name.truncated(to: columns - 2, ellipsis: theme.ellipsis), theme[.caption])])
        ]
    }

    /// The caption, how full the location is, the facts, and how far it is to the target.
    private func captions(columns: Int) -> [Line] {
        let caption = caption(columns: columns)
        let facts = facts()
        let capacity = ProgressBar(capacityOf: model.state, theme: theme).map {
            Line.centred($0.line(columns: columns - 2))
        }
        let target = model.state.target.map {
            Line.centred(ProgressBar(count: model.level, target: $0, theme: theme).line(columns: columns - 2))
        }
        let bars = [capacity, target]
        let gap = [Span("   ")]
        let whole = facts.isEmpty ? caption : caption + gap + facts.joined(by: gap[0])
        if whole.columns <= columns { return [.centred(whole)] + bars.compactMap(\.self) }
        let below = Line.centred(facts.joined(by: gap[0]))
        return [.centred(caption), capacity, facts.isEmpty ? nil : below, target].compactMap(\.self)
    }

    /// The count, and how full the location is, which is shown before anything else.
    private func caption(columns: Int) -> [Span] {
        let caption = Span(model.caption(columns: columns), theme[.caption])
        guard let share = model.state.percentage else { return [caption] }
        // How many have left too many is among the facts, and says that the count is not right.
        let badge = model.state.hasNegativeDrift ? nil : theme.badge(model.state)
        let fullness = [badge, Span("\(share) %")].compactMap(\.self)
        let forms = [[caption] + fullness, [Span("\(model.level)", theme[.caption])] + fullness, fullness]
        return forms.map { $0.joined(by: Span("   ")) }.first { $0.columns <= columns }
            ?? Array(fullness.prefix(1))
    }

    private func facts() -> [Span] {
        let state = model.state
        return (state.hasNegativeDrift ? [Span(state.driftWords, theme[.notice])] : [])
            + [model.lastChange, model.ratePerMinute.map { "\($0)/min" }]
            .compactMap { $0 }.map { Span($0, theme[.quiet]) }
            + (model.isSynced ? [] : model.sync.prefix(1).map { Span($0.sanitised, theme[.notice]) })
    }
}

/// Distributes the rows of the Count screen. The number takes what is left, and less important lines are added only once
/// it is large enough.
struct CountLayout {
    let name: [Line]
    private(set) var caption: [Line]
    /// The number of caption lines that were asked for.
    private let captionLines: Int
    let footer: [Line]
    /// Empty rows between the number and its caption.
    let air: Int
    /// Empty rows between the top line and the number.
    let margin: Int

    /// `rows` are all rows but the top line. The caption, the first alert and the key line are always shown.
    init(
        rows: Int, name: [Line], caption: [Line], alerts: [Line], keyed: [Line], timers: [Line],
        inputDevices: [Line], keys: [Line]
    ) {
        var budget = RowBudget(rows: rows - 1 - keys.count - min(1, alerts.count))
        var shownAlerts = min(1, alerts.count)
        var shownDevices = 0
        self.name = !name.isEmpty && budget.take(name.count, keeping: 3) ? name : []
        while shownAlerts < alerts.count, budget.take(keeping: 3) { shownAlerts += 1 }
        var shownKeyed = 0
        while shownKeyed < keyed.count, budget.take(keeping: 3) { shownKeyed += 1 }
        if inputDevices.count > 0, budget.take(keeping: 3) { shownDevices = 1 }
        let shownTimers = !timers.isEmpty && budget.take(keeping: 3) ? timers : []
        captionLines = caption.count
        var shownCaption = min(1, caption.count)
        while shownCaption < caption.count, budget.take(keeping: 3) { shownCaption += 1 }
        self.caption = Array(caption.prefix(shownCaption))
        while shownDevices < inputDevices.count, budget.take(keeping: 7) { shownDevices += 1 }
        air = budget.take(keeping: 8) ? 1 : 0
        margin = budget.take(keeping: 9) ? 1 : 0
        let aboveAll: [Line] = budget.take(keeping: 10) ? [.blank] : []
        let aboveKeys: [Line] = shownDevices > 0 && budget.take(keeping: 10) ? [.blank] : []
        let belowAlerts: [Line] = shownAlerts > 0 && budget.take(keeping: 10) ? [.blank] : []
        var lines = aboveAll
        lines += alerts.prefix(shownAlerts) + belowAlerts
        lines += keyed.prefix(shownKeyed) + shownTimers
        lines += inputDevices.prefix(shownDevices) + aboveKeys
        footer = lines + keys
    }

    /// The same layout with another caption; nil where that needs a different number of lines.
    func with(caption: [Line]) -> CountLayout? {
        guard caption.count == captionLines else { return nil }
        var layout = self
        layout.caption = Array(caption.prefix(layout.caption.count))
        return layout
    }
}
