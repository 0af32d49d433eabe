import CounterModel
import Linux

/// Draws the whole terminal: the top line, the selected tab below it, and the overlay. Where only the count has changed since
/// the last time, it redraws only what shows the count.
package final class ScreensView {
    private let theme: Theme
    private let digits: DigitGlyphs
    private var last: Drawn?

    /// The last frame where it showed Count and nothing over it, and what it was drawn from.
    private struct Drawn {
        let frame: Frame
        let layout: CountLayout
        let count: CountViewModel
        let locations: LocationChoice
        let selected: Int
    }

    package init(_ capabilities: Capabilities) {
        (theme, digits) = (Theme(capabilities), DigitGlyphs(capabilities.glyphs))
    }

    /// The frame at `size`. Every size works; an empty one has no cells.
    package func draw(_ screens: Screens, size: Size) -> Frame {
        let (frame, layout) = redrawn(screens, size) ?? drawn(screens, size)
        last = layout.map {
            Drawn(
                frame: frame, layout: $0, count: screens.count, locations: screens.context.locations,
                selected: screens.selected)
        }
        return frame
    }

    /// The last frame with another count; nil where more than that has changed.
    private func redrawn(_ screens: Screens, _ size: Size) -> (Frame, CountLayout?)? {
        guard let last, last.frame.grid.size == size, screens.context.overlay == nil,
            last.selected == screens.selected, last.locations == screens.context.locations,
            screens.count.differsOnlyInCount(from: last.count, columns: size.columns)
        else { return nil }
        var frame = last.frame
        TopLineView(screens: screens, theme: theme).drawCount(into: &frame)
        let isDrawn = countView(screens).redraw(last.layout, over: &frame, showing: last.count.level)
        return isDrawn ? (frame, last.layout) : nil
    }

    /// The whole frame, and the layout of Count where nothing but that is shown.
    private func drawn(_ screens: Screens, _ size: Size) -> (Frame, CountLayout?) {
        var frame = Frame(size: size)
        if Frame.isNumberAlone(at: size) {
            let number = LargeNumber(screens.count.level, in: size, digits)
            countView(screens).draw(number, into: &frame, rows: 0..<size.rows)
            return (frame, nil)
        }
        TopLineView(screens: screens, theme: theme).draw(into: &frame)
        var layout: CountLayout?
        if let screen = screens.screen {
            draw(screen, of: screens, into: &frame)
        } else {
            layout = countView(screens).draw(into: &frame, keys: keyLines(of: screens, size))
        }
        drawOverlay(of: screens, into: &frame)
        return (frame, screens.context.overlay == nil ? layout : nil)
    }

    private func countView(_ screens: Screens) -> CountView {
        CountView(model: screens.count, context: screens.context, theme: theme, digits: digits)
    }

    private func keyLines(of screens: Screens, _ size: Size) -> [Line] {
        if screens.isOnWall { return [] }
        return [
            KeyLine(
                screens.offeredKeys(in: size), common: screens.commonKeys,
                note: screens.count.mayChange ? nil : "read only", theme: theme
            ).line(columns: size.columns)
        ]
    }

    /// Draws a tab, with the alerts and its keys at the bottom.
    private func draw(_ screen: any TabScreen, of screens: Screens, into frame: inout Frame) {
        let size = frame.grid.size
        let footer =
            AlertLines(model: screens.count, context: screens.context, theme: theme).all(in: size)
            + keyLines(of: screens, size)
        let rows = 1..<(1 + screens.area(in: size).rows)
        screen.draw(into: &frame, rows: rows, theme: theme)
        for (row, line) in zip(rows.upperBound..., footer) { line.draw(into: &frame, row: row) }
    }

    private func drawOverlay(of screens: Screens, into frame: inout Frame) {
        switch screens.context.overlay {
        case .text(let text):
            let (title, lines) = content(of: text, screens, frame.grid.size)
            OverlayView(title: title, context: screens.context, theme: theme).draw(into: &frame, text: lines)
        case .field(let prompt):
            FieldView(prompt: prompt, context: screens.context, theme: theme).draw(into: &frame)
        case .question(let question):
            QuestionView(question: question, context: screens.context, theme: theme).draw(into: &frame)
        case nil: break
        }
    }

    /// The title of a text, and its lines for a number of columns.
    private func content(
        of text: ScreenContext.Text, _ screens: Screens, _ size: Size
    ) -> (String, (Int) -> [[Span]]) {
        switch text {
        case .help:
            let bindings = screens.offeredKeys(in: size) + screens.commonKeys
            return (
                "Help",
                HelpText(
                    theme: theme, bindings: bindings,
                    volumeKeys: screens.count.mayChange ? screens.count.volumeKeys : nil
                ).lines
            )
        case .details: return ("Devices", DetailsText(model: screens.count, theme: theme).lines)
        case .anomalies:
            return ("Anomalies", AnomalyLines(summary: screens.history.summary, theme: theme).lines)
        }
    }
}

extension CountViewModel {
    /// Whether only the count, with the same number of characters, and the rest of its caption differ.
    fileprivate func differsOnlyInCount(from other: CountViewModel, columns: Int) -> Bool {
        guard caption(columns: columns).count == other.caption(columns: columns).count,
            flash == nil, other.flash == nil,
            state.differsOnlyInCount(from: other.state)
        else { return false }
        var same = other
        (same.state, same.lastChange, same.ratePerMinute) = (state, lastChange, ratePerMinute)
        return same == self
    }
}

extension CounterState {
    /// Whether what is shown of it besides the count is the same.
    fileprivate func differsOnlyInCount(from other: CounterState) -> Bool {
        locationId == other.locationId && target == other.target && maxCapacity == other.maxCapacity
            && percentage == other.percentage && statusWord == other.statusWord
            && moreLeftThanEntered == other.moreLeftThanEntered
    }
}

/// The top line: the tabs at the left, and at the right end the other machines, the location and the count.
struct TopLineView {
    let screens: Screens
    let theme: Theme

    func draw(into frame: inout Frame) {
        let start = drawCount(into: &frame)
        let behindTabs = drawTabs(into: &frame, before: start - 1)
        let location = drawLocation(into: &frame, between: behindTabs + 2, and: start - 2)
        drawSync(into: &frame, between: behindTabs + 2, and: location - 2)
    }

    private func drawSync(into frame: inout Frame, between start: Int, and end: Int) {
        let style = theme[screens.count.isSynced ? .quiet : .notice]
        let forms = screens.count.sync.map { Span($0.sanitised, style) }
        guard let form = forms.first(where: { $0.columns <= end - start }) else { return }
        frame.write([form], at: Point(column: end - form.columns, row: 0))
    }

    /// Draws only the count; returns the column where it begins.
    @discardableResult
    func drawCount(into frame: inout Frame) -> Int {
        let caption = screens.count.caption(columns: frame.grid.size.columns)
        let start = frame.grid.size.columns - caption.count
        frame.write([Span(caption, theme[.caption])], at: Point(column: start, row: 0))
        return start
    }

    // A tab that does not fit completely is left out; its number key still works. Where the location or the selected tab needs
    // the room, only the selected one keeps its name; where that is too much, it is alone, and where need be a number.
    private func drawTabs(into frame: inout Frame, before limit: Int) -> Int {
        let fullness = fullness.last.map { 3 + $0.columns } ?? 0
        let name = leastName == 0 ? 0 : 2 + leastName
        let long = tabs { _ in true }
        let short = tabs { $0 == screens.selected }
        let selected = min(screens.selected, long.count - 1)
        // On a narrow terminal the location matters more than the name of the screen.
        let least = fullness > 0 ? fullness : name > 0 ? 5 : 0
        let shortest = Array(short.prefix(selected + 1)).columns + least
        let note = screens.isOnWall ? [Span(" read only ", theme[.notice])] : []
        let isNoted = shortest + note.columns <= limit
        let room = limit - (isNoted ? note.columns : 0)
        let beside = name + fullness + leastSync
        let needed = beside == 0 ? Array(long.prefix(selected + 1)).columns : long.columns + beside
        let isAlone = shortest > limit
        let alone = [long[selected], tabs { _ in false }[selected]]
        var column = 0
        for span in isAlone
            ? [alone.first { $0.columns + least <= limit } ?? alone[1]]
            : needed <= room ? long : short
        {
            guard column + span.columns <= room - (isAlone ? 0 : fullness) else { break }
            frame.write([span], at: Point(column: column, row: 0))
            column += span.columns
        }
        if isNoted {
            frame.write(note, at: Point(column: column, row: 0))
            column += note.columns
        }
        return isAlone ? column - 1 : column
    }

    private func tabs(isNamed: (Int) -> Bool) -> [Span] {
        if screens.isOnWall { return [Span(" \(screens.tab.rawValue) ", theme[.selectedTab])] }
        return screens.tabs.enumerated().map { index, tab in
            let style = theme[index == screens.selected ? .selectedTab : .tab]
            let name = isNamed(index) ? "\(tab.rawValue) " : ""
            return Span(" \(index + 1) \(name)", style) { screens.select(tab: index) }
        }
    }

    /// The columns that a location's name keeps beside the names of the tabs; 0 without a name.
    private var leastName: Int { location.map { min(8, CharacterWidth.columns($0)) } ?? 0 }

    /// The columns that are kept for what is said of other machines that are not reached.
    private var leastSync: Int {
        screens.count.isSynced ? 0 : screens.count.sync.last.map { 2 + CharacterWidth.columns($0) } ?? 0
    }

    /// The name of the location; nil where it is not shown.
    private var location: String? { screens.count.location?.sanitised }

    /// How full the location is, from the longest form to the shortest; empty for a tally.
    private var fullness: [[Span]] {
        let state = screens.count.state
        guard let capacity = state.maxCapacity, let share = state.percentage, let badge = theme.badge(state)
        else { return [] }
        let shares = ["\(share) % of \(capacity)", "\(share) %"].map { [Span($0, theme[.location])] }
        if state.status == .ok { return shares }
        let both = shares.map { [badge, Span(" ")] + $0 }
        return state.status == .full ? both + [[badge]] : both + shares.suffix(1)
    }

    // A click on the name selects the next location. The name gives way to how full the location is. Returns the column where it
    // begins.
    private func drawLocation(into frame: inout Frame, between start: Int, and end: Int) -> Int {
        let forms = fullness
        let shortest = forms.last?.columns ?? min(4, leastName)
        let room = end - start - (end - start - leastSync < shortest ? 0 : leastSync)
        let least = leastName == 0 ? 0 : leastName + 2
        let full = forms.first { $0.columns + least <= room } ?? forms.last { $0.columns <= room } ?? []
        let nameRoom = full.isEmpty ? room : room - full.columns - 2
        var line = full
        if let location, nameRoom >= 4 {
            let next = screens.context.select(screens.context.locations.following(1))
            let name = location.truncated(to: nameRoom, ellipsis: theme.ellipsis)
            line = [Span(name, theme[.location], next)] + (full.isEmpty ? [] : [Span("  ")]) + full
        }
        frame.write(line, at: Point(column: end - line.columns, row: 0))
        return line.isEmpty ? end + 2 : end - line.columns
    }
}

/// The keys of a tab and the common keys, for the help.
struct HelpText {
    let theme: Theme
    let bindings: [KeyBinding]
    /// What the volume keys do; nil where they do nothing.
    let volumeKeys: String?

    var rows: [(keys: String, meaning: String)] {
        (volumeKeys.map { [("Volume keys", $0)] } ?? []) + bindings.compactMap(\.help)
    }

    private static let keyColumns = 16
    /// The inner width of a box on a screen of 40 columns.
    private static let sideBySide = 36

    /// Keys and meanings side by side, or in narrow boxes one below the other.
    func lines(columns: Int) -> [[Span]] {
        rows.flatMap { key, meaning -> [[Span]] in
            guard columns >= Self.sideBySide else {
                return [[Span(key, theme[.key])]] + meaning.wrapped(to: columns - 2).map { [Span("  " + $0)] }
            }
            let room = columns - Self.keyColumns
            return meaning.wrapped(to: room).enumerated().map { index, line in
                let start = (index == 0 ? key : "").padded(to: Self.keyColumns)
                return [Span(start, theme[.key]), Span(line)]
            }
        }
    }
}
