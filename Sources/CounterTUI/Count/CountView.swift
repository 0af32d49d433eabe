/// The Count screen: the number, its caption, and at the bottom the alerts, the input devices and the keys.
///
/// ```
///  1 Count                  Hall  Count 1234     top line (TopLineView)
///               █ ▛▜ ▀▜ █▐                       number
///         Count 1234   +1 at 14:03:22            caption
///       ███████░░░  1234 of 2000  766 left       target
///                2 not stored                    alert
///  [a Robin 1234] [s Wren 3]                     locations with keys
///  Knob exclusive  Pen shared     [D Details]    input devices
///  [R Reset] [U Undo] [-] [+]        [? Help]    keys
/// ```
struct CountView {
    let model: CountViewModel
    let theme: Theme
    let digits: DigitGlyphs

    /// Draws below the top line; `commonKeys` are those that all tabs share.
    ///
    /// - Returns: the layout that was drawn.
    func draw(into screen: inout Screen, commonKeys: [KeyBinding]) -> CountLayout {
        let size = screen.grid.size
        let plan = CountLayout(
            rows: size.rows - 1, caption: captions(columns: size.columns),
            alerts: AlertLines(model: model, theme: theme).lines(in: size),
            keyed: KeyedLocationLines(model: model, theme: theme).lines(columns: size.columns - 2),
            timers: timerLine(columns: size.columns - 2),
            inputDevices: DeviceLines(model: model, theme: theme).lines(columns: size.columns - 2),
            keys: KeyLine(model.keys, common: commonKeys, theme: theme).lines(columns: size.columns))
        drawFooter(plan, into: &screen)
        drawNumber(plan, over: nil, into: &screen)
        return plan
    }

    /// Draws the number and its caption over those of `level`, on a screen where nothing else has changed.
    ///
    /// - Returns: false where the layout would change, so that the whole screen has to be drawn.
    func redraw(_ plan: CountLayout, over screen: inout Screen, showing level: Int) -> Bool {
        guard let plan = plan.with(caption: captions(columns: screen.grid.size.columns)) else { return false }
        drawNumber(plan, over: level, into: &screen)
        return true
    }

    /// The running timers on one line.
    private func timerLine(columns: Int) -> [Line] {
        if model.timers.isEmpty { return [] }
        let text = model.timers.joined(separator: "   ").sanitised
        return [
            .justified(
                [Span(text.truncated(to: columns, ellipsis: theme.look.ellipsis), theme[.caption])], [])
        ]
    }

    private func drawFooter(_ plan: CountLayout, into screen: inout Screen) {
        var row = screen.grid.size.rows - plan.footer.count
        for line in plan.footer {
            line.draw(into: &screen, row: row)
            row += 1
        }
    }

    // Centres the number and its caption together in the remaining rows.
    private func drawNumber(_ plan: CountLayout, over level: Int?, into screen: inout Screen) {
        let rows = (1 + plan.margin)..<(screen.grid.size.rows - plan.footer.count)
        let below = plan.caption.count + plan.air
        let space = Size(columns: screen.grid.size.columns, rows: max(0, rows.count - below))
        func large(_ level: Int) -> LargeNumber {
            LargeNumber(level, in: space, glyphs: theme.look.glyphs, digits)
        }
        let number = large(model.level)
        let before = level.map(large).flatMap { $0.hasShape(of: number) ? $0 : nil }
        let top = rows.lowerBound + (space.rows - number.height) / 2
        let captions = (top + number.height + plan.air)..<(top + number.height + below)
        if level != nil { screen.grid.clear(rows: before == nil ? rows : captions) }
        draw(number, over: before, into: &screen, rows: top..<(top + number.height))
        for (row, line) in zip(captions, plan.caption) { line.draw(into: &screen, row: row) }
    }

    /// Draws the number in the middle of `rows`, over one of the same shape.
    func draw(
        _ number: LargeNumber, over before: LargeNumber? = nil, into screen: inout Screen, rows: Range<Int>
    ) {
        let view = NumberView(number: number) { theme.digits(row: $0, of: $1, level: model.level) }
        let area = Area(rows: rows, columns: screen.grid.size.columns)
        view.draw(into: &screen, in: area, over: before)
        if model.flash == .number || model.flash == .alarm { view.flash(into: &screen, in: area) }
    }

    private func captions(columns: Int) -> [Line] {
        let target = model.target.map {
            Line.centred(TargetBar(count: model.level, target: $0, theme: theme).line(columns: columns - 2))
        }
        return captionAndFacts(columns: columns) + [target].compactMap(\.self)
    }

    private func captionAndFacts(columns: Int) -> [Line] {
        let caption = Span(Caption(model.level, columns: columns).text, theme[.caption])
        let drift =
            model.moreLeftThanEntered > 0
            ? [Span("\(model.moreLeftThanEntered) more left than entered", theme[.notice])] : []
        let facts =
            drift
            + [
                model.lastChange.map { "\($0.kind.text) at \($0.time)" },
                model.ratePerMinute.map { "\($0)/min" },
            ].compactMap { $0 }.map { Span($0, theme[.quiet]) }
        guard !facts.isEmpty else { return [.centred([caption])] }
        let whole = ([caption] + facts).joined(by: Span("   "))
        if whole.columns <= columns { return [.centred(whole)] }
        return [.centred([caption]), .centred(facts.joined(by: Span("   ")))]
    }
}
