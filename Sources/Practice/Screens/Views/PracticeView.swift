package import CounterTUI
import Linux

/// Draws what is on the screen: a title, one big thing in the middle, and the keys at the bottom.
package struct PracticeView: Sendable {
    private static let smallest = Size(columns: 20, rows: 6)

    /// The least width for the names of four keys.
    private static let leastForEscape = 24

    let model: PracticeModel
    let look: Capabilities
    var palette: Palette { Palette(look: look) }

    /// A view of `model` for a terminal that can show `look`.
    package init(_ model: PracticeModel, look: Capabilities) {
        self.model = model
        self.look = look
    }

    /// The screen at `size`. Every size works; below 20×6 it only says so.
    package func draw(size: Size) -> Page {
        var page = Page(size: size)
        if size.columns < Self.smallest.columns || size.rows < Self.smallest.rows {
            page.centre(Texts.tooSmall, row: size.rows / 2)
            return page
        }
        let told = [model.unsaved, model.notice].compactMap(\.self).first ?? ""
        let banner = told.sanitised.wrapped(to: size.columns - 2, atMost: max(1, (size.rows - 2) / 3))
        let end = size.rows - 1 - banner.count
        drawTop(&page)
        draw(model.stage, &page, rows: 1..<end)
        page.centre(banner, from: end, to: size.rows - 1, palette.problem)
        drawKeys(&page)
        return page
    }

    private func draw(_ stage: Stage, _ page: inout Page, rows: Range<Int>) {
        switch stage {
        case .cards(let deck, let index) where deck.isList: drawList(deck, index, &page, rows)
        case .cards(let deck, let index): drawCard(deck, index, &page, rows)
        case .typing(let typing): draw(typing, &page, rows)
        case .level(let playing): LevelDrawing(playing, palette).draw(&page, rows)
        case .goOn(let celebration): draw(celebration, &page, rows)
        case .watching(let watching): draw(watching, &page, rows)
        case .message(let lines, _): draw(lines, &page, rows)
        case .page(let lines, let top, _): draw(lines, from: top, &page, rows)
        }
    }

    private func drawTop(_ page: inout Page) {
        let title: String =
            switch model.stage {
            case .cards(let deck, _): model.title(of: deck)
            case .level(let playing): Texts.level(playing.level, number: playing.number)
            case .message: model.player?.name ?? Texts.grownUp
            case .typing: Texts.grownUp
            case .page(_, _, .player(let id)): model.name(of: id)
            case .page: Texts.grownUp
            case .goOn, .watching: model.player?.name ?? ""
            }
        let free = page.size.columns - CharacterWidth.columns(title.sanitised) - 4
        let forms = model.player.map { Texts.status($0, model.limit) } ?? []
        let status = forms.first { CharacterWidth.columns($0) <= free } ?? ""
        let room = page.size.columns - 2 - (status.isEmpty ? 0 : CharacterWidth.columns(status) + 2)
        page.write(
            title.sanitised.truncated(to: room, ellipsis: "~"), at: Point(column: 1, row: 0), palette.title)
        let column = page.size.columns - 1 - CharacterWidth.columns(status)
        page.write(status, at: Point(column: column, row: 0), palette.quiet)
    }

    private func drawKeys(_ page: inout Page) {
        let keys = Texts.keys(model.stage)
        var parts: [(key: String, text: String, input: PracticeInput)] = [
            ("Up", keys.up, .up), ("Down", keys.down, .down),
            (model.isTyping ? "Enter" : "Both", keys.both, .both),
            ("Esc", keys.home, .home),
        ]
        parts.removeAll { $0.text.isEmpty }
        if page.size.columns < Self.leastForEscape, parts.count > 3 { parts.removeLast() }
        // The texts are left out where they do not fit, those of Escape first.
        let forms = [[], [PracticeInput.home], parts.map(\.input)]
        let texts = forms.map { silent in
            parts.map { $0.text.isEmpty || silent.contains($0.input) ? "" : " \($0.text)" }
        }
        let width = { (texts: [String]) in
            zip(parts, texts).reduce(-1) { $0 + $1.0.key.count + $1.1.count + 3 }
        }
        let shown = texts.first { width($0) <= page.size.columns } ?? texts[2]
        var point = Point(column: max(0, (page.size.columns - width(shown)) / 2), row: page.size.rows - 1)
        for (part, text) in zip(parts, shown) {
            point.column = page.write("[", at: point, .plain, part.input)
            point.column = page.write(part.key, at: point, palette.key, part.input)
            point.column = page.write("\(text)]", at: point, .plain, part.input) + 1
        }
    }
}

extension String {
    /// Lines of at most `columns` columns; where there are more than `count`, the last one ends in `~`.
    fileprivate func wrapped(to columns: Int, atMost count: Int) -> [String] {
        let lines = wrapped(to: columns)
        if lines.count <= count { return lines }
        let rest = lines[(count - 1)...].joined(separator: " ")
        return lines.prefix(count - 1) + [rest.truncated(to: columns, ellipsis: "~")]
    }
}
