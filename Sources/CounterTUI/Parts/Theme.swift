import CounterModel

/// The styles of the screens. Colour never carries information that words or attributes do not carry too.
struct Theme {
    let capabilities: Capabilities

    init(_ capabilities: Capabilities) { self.capabilities = capabilities }

    var glyphs: Capabilities.Glyphs { capabilities.glyphs }
    /// The end of a text that is cut off.
    var ellipsis: Character { glyphs == .ascii ? "~" : "…" }

    enum Role: Hashable {
        case tab, selectedTab, location, caption, quiet
        case ins, outs
        case exclusive, shared, noAccess
        case alert, notice, label, key, border, heading
        case ok, warning, full
    }

    subscript(role: Role) -> Style {
        switch role {
        case .tab, .label: Style.plain
        case .selectedTab: Style(.reverse)
        case .location, .quiet, .border: capabilities.palette == .many ? Style(foreground: 245) : Style(.dim)
        case .caption: Style(.bold)
        case .ins: Style(foreground: pick(6, 38))
        case .outs: Style(foreground: pick(5, 135))
        case .exclusive: Style(foreground: pick(2, 35))
        case .shared: Style(foreground: pick(3, 172))
        case .noAccess: Style(foreground: pick(1, 167), .bold)
        case .alert, .full: Style(foreground: pick(1, 160), [.bold, .reverse])
        case .notice: Style(foreground: pick(3, 172), .bold)
        case .ok: Style(foreground: pick(2, 35), .bold)
        case .warning: Style(foreground: pick(3, 172), [.bold, .reverse])
        case .key, .heading: Style(foreground: pick(4, 33), .bold)
        }
    }

    /// The style of a row of the large number: a gradient from top to bottom, cool for 0 and more, warm below 0.
    func digits(row: Int, of rows: Int, level: Int) -> Style {
        let shades = level < 0 ? Self.warm : Self.cool
        switch capabilities.palette {
        case .none: return Style(.bold)
        case .eight: return Style(foreground: level < 0 ? 3 : 6, .bold)
        case .many: return Style(foreground: shades[min(shades.count - 1, row * shades.count / max(1, rows))])
        }
    }

    /// The same for the count of a location; that of an occupancy has the colour of its status.
    func digits(row: Int, of rows: Int, _ state: CounterState) -> Style {
        state.status.map { digits($0) } ?? digits(row: row, of: rows, level: state.currentCount)
    }

    func digits(_ status: OccupancyStatus) -> Style {
        switch status {
        case .ok: self[.ok]
        case .warning: self[.notice]
        case .full: Style(foreground: pick(1, 160), .bold)
        }
    }

    /// The status of an occupancy, as a word in its colour; nil for a tally.
    func badge(_ state: CounterState) -> Span? {
        guard let status = state.status, let word = state.statusWord?.uppercased() else { return nil }
        return switch status {
        case .ok: Span(word, self[.ok])
        case .warning: Span(" \(word) ", self[.warning])
        case .full: Span(" \(word) ", self[.full])
        }
    }

    /// `██████░░░░`, of which so many cells are filled.
    func bar(_ filled: Int, of width: Int, _ style: Style) -> [Span] {
        let (full, empty) = glyphs == .ascii ? ("#", ".") : ("█", "░")
        return [
            Span(String(repeating: full, count: filled), style),
            Span(String(repeating: empty, count: width - filled), self[.quiet]),
        ]
    }

    // Medium brightness only, readable on dark and on light backgrounds.
    private static let cool: [UInt8] = [38, 39, 33, 69, 63, 99, 135, 171]
    private static let warm: [UInt8] = [214, 208, 209, 203, 204, 168, 169, 170]

    private func pick(_ eight: UInt8, _ many: UInt8) -> UInt8? { capabilities.pick(eight, many) }
}
