/// The Count screen: the number, its caption, and at the bottom the alerts, the input devices and the keys.
///
/// ```
///  1 Count                  Hall  Count 1234     top line (TopLineView)
///               █ ▛▜ ▀▜ █▐                       number
///         Count 1234   +1 at 14:03:22            caption
///                2 not stored                    alert
///  Knob exclusive  Pen shared     [D Details]    input devices
///  [R Reset] [U Undo] [-] [+]        [? Help]    keys
/// ```
struct CountView {
    let model: CountViewModel
    let theme: Theme
    /// The keys that all tabs share.
    let commonKeys: [KeyBinding]
    let digits: DigitGlyphs

    /// Draws below the top line.
    ///
    /// - Returns: the layout that was drawn.
    @discardableResult
    func draw(into screen: inout Screen) -> CountLayout {
        let size = screen.grid.size
        let plan = CountLayout(
            rows: size.rows - 1, caption: captions(columns: size.columns),
            alerts: AlertLines(model: model, theme: theme).lines(in: size),
            sources: SourceLines(model: model, theme: theme).lines(columns: size.columns - 2),
            keys: KeyLine(model.keys, common: commonKeys, theme: theme).lines(columns: size.columns))
        drawFooter(plan, into: &screen)
        drawNumber(plan, into: &screen)
        return plan
    }

    /// Draws the number and its caption over the old ones, on a screen where nothing else has changed.
    ///
    /// - Returns: false where the layout would change, so that the whole screen has to be drawn.
    func redraw(_ plan: CountLayout, over screen: inout Screen) -> Bool {
        guard let plan = plan.with(caption: captions(columns: screen.grid.size.columns)) else { return false }
        screen.grid.clear(rows: (1 + plan.margin)..<(screen.grid.size.rows - plan.footer.count))
        drawNumber(plan, into: &screen)
        return true
    }

    private func drawFooter(_ plan: CountLayout, into screen: inout Screen) {
        var row = screen.grid.size.rows - plan.footer.count
        for line in plan.footer {
            line.draw(into: &screen, row: row)
            row += 1
        }
    }

    // Centres the number and its caption together in the remaining rows.
    private func drawNumber(_ plan: CountLayout, into screen: inout Screen) {
        let rows = (1 + plan.margin)..<(screen.grid.size.rows - plan.footer.count)
        let below = plan.caption.count + plan.air
        let space = Size(columns: screen.grid.size.columns, rows: max(0, rows.count - below))
        let number = LargeNumber(model.level, in: space, glyphs: theme.look.glyphs, digits)
        let top = rows.lowerBound + (space.rows - number.rows.count) / 2
        draw(number, into: &screen, rows: top..<(top + number.rows.count))
        var row = top + number.rows.count + plan.air
        for line in plan.caption {
            line.draw(into: &screen, row: row)
            row += 1
        }
    }

    /// Draws the number in the middle of `rows`.
    func draw(_ number: LargeNumber, into screen: inout Screen, rows: Range<Int>) {
        let view = NumberView(number: number) { theme.digits(row: $0, of: $1, level: model.level) }
        let area = Area(rows: rows, columns: screen.grid.size.columns)
        view.draw(into: &screen, in: area)
        if model.flash == .number { view.flash(into: &screen, in: area) }
    }

    private func captions(columns: Int) -> [Line] {
        let caption = Span(Caption(model.level, columns: columns).text, theme[.caption])
        let facts = [
            model.lastChange.map { "\($0.kind.rawValue) at \($0.time)" },
            model.ratePerMinute.map { "\($0)/min" },
        ].compactMap { $0 }.map { Span($0, theme[.quiet]) }
        guard !facts.isEmpty else { return [.centred([caption])] }
        let whole = ([caption] + facts).joined(by: Span("   "))
        if whole.columns <= columns { return [.centred(whole)] }
        return [.centred([caption]), .centred(facts.joined(by: Span("   ")))]
    }
}

/// A line of the screen and its alignment.
enum Line: Hashable {
    /// Centred.
    case centred([Span])
    /// One part at the left edge and one at the right.
    case justified([Span], [Span])
    /// An empty line.
    case blank

    func draw(into screen: inout Screen, row: Int) {
        switch self {
        case .centred(let spans): screen.centre(spans, row: row)
        case .justified(let left, let right):
            screen.write(left, at: Point(column: 1, row: row))
            screen.write(right, at: Point(column: screen.grid.size.columns - 1 - right.columns, row: row))
        case .blank: break
        }
    }
}

extension [Span] {
    func joined(by separator: Span) -> [Span] {
        Array(map { [$0] }.joined(separator: [separator]))
    }
}
