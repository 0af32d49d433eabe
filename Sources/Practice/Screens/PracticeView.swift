package import CounterTUI
import Linux

/// Draws what is on the screen: a title, one big thing in the middle, and the keys at the bottom.
package struct PracticeView {
    private static let smallest = Size(columns: 20, rows: 6)

    /// The least width for the names of four keys.
    private static let leastForEscape = 24

    let model: PracticeModel
    let look: Capabilities
    var palette: Palette { Palette(look: look) }

    package init(_ model: PracticeModel, look: Capabilities) { (self.model, self.look) = (model, look) }

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
        case .cards(let deck, let index):
            let content = model.content(of: deck)
            if content.isList { return drawList(content, index, &page, rows) }
            drawCard(content, index, isHome: deck == .home, &page, rows)
        case .typing(let typing): draw(typing, &page, rows)
        case .level(let playing): draw(playing, &page, rows)
        case .goOn(let celebration): draw(celebration, &page, rows)
        case .watching(let video, _): draw(video, &page, rows)
        case .message(let lines, _): draw(lines, &page, rows)
        case .report(let lines, let top, _): draw(lines, from: top, &page, rows)
        }
    }

    private func drawTop(_ page: inout Page) {
        let title: String =
            switch model.stage {
            case .cards(let deck, _): model.content(of: deck).title
            case .level(let playing): Texts.level(playing.level)
            case .typing: Texts.grownUp
            case .report(_, _, let id): model.name(of: id)
            case .message, .goOn, .watching: model.player?.name ?? ""
            }
        let free = page.size.columns - CharacterWidth.columns(title.sanitised) - 4
        let forms = model.player.map { Texts.status($0, model.streak, model.minutesLeft) } ?? []
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
            (model.isTyping || !model.hasKeys ? "Enter" : "Both", keys.both, .both),
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
            if let next = model.nextKey, part.input == .key(next) {
                let end = page.write(">\(part.key)\(text)<", at: point, palette.chosen, part.input)
                point.column = end + 1
                continue
            }
            point.column = page.write("[", at: point, .plain, part.input)
            point.column = page.write(part.key, at: point, palette.key, part.input)
            point.column = page.write("\(text)]", at: point, .plain, part.input) + 1
        }
    }
}

// MARK: - Decks

/// The decks: one card at a time for players, a list for the grown-up.
extension PracticeView {
    /// The least height at which a card has its large drawing.
    private static let largeRows = 16

    private func drawCard(
        _ content: Cards, _ index: Int, isHome: Bool, _ page: inout Page, _ rows: Range<Int>
    ) {
        let card = content[index]
        var rows = rows
        if isHome, model.isTimeForBreak, rows.count > 8 {
            page.centre(Texts.pause, row: rows.lowerBound, palette.problem)
            rows = rows.dropFirst()
        }
        page.centre("\(index + 1) of \(content.cards.count)", row: rows.upperBound - 1, palette.quiet)
        rows = rows.dropLast()
        let columns = page.size.columns - 8
        let isLarge = rows.count >= Self.largeRows && (art(card, isLarge: true)?.width ?? 0) <= columns - 4
        let parts = [art(card, isLarge: isLarge), texts(card, columns - 6)]
        let inside = parts.compactMap(\.self).inAColumn(gap: isLarge ? 1 : 0)
        let width = min(columns - 2, max(inside.width + 4, isLarge ? 34 : 0))
        if inside.height + 2 <= rows.count, isLarge || card.art == nil {
            // Cards of one height, so that going through them moves nothing.
            let height = isLarge ? max(inside.height + 2, Self.largeRows - 3) : inside.height
            var box = palette.box(width: width, height: height, palette.quiet)
            let corner = Point(
                column: 1 + (width - inside.width) / 2, row: 1 + (height - inside.height) / 2)
            box.draw(inside, at: corner)
            page.centre(box, in: rows, .both)
        } else {
            let whole = inside.height <= rows.count ? inside : texts(card, columns)
            page.centre(whole, in: rows, .both)
        }
        drawArrows(&page, rows, isLarge: isLarge)
    }

    private func art(_ card: Card, isLarge: Bool) -> Grid? {
        card.art.map { Grid(isLarge ? $0.large : $0.small, palette[$0.tint]) }
    }

    private func texts(_ card: Card, _ columns: Int) -> Grid {
        let title = card.title.sanitised.wrapped(to: columns)
        let detail = card.detail.sanitised.wrapped(to: columns)
        return [(title, palette.title), (detail, palette.quiet)].filter { !$0.0.isEmpty }
            .flatMap { lines, style in lines.map { Grid([$0], style) } }.inAColumn()
    }

    /// The way to the cards on both sides, which can be clicked.
    private func drawArrows(_ page: inout Page, _ rows: Range<Int>, isLarge: Bool) {
        let left = Grid(isLarge ? ["  /", " / ", "<  ", " \\ ", "  \\"] : ["<"], palette.key)
        let right = Grid(isLarge ? ["\\  ", " \\ ", "  >", " / ", "/  "] : [">"], palette.key)
        let row = rows.lowerBound + (rows.count - left.height) / 2
        page.draw(left, at: Point(column: isLarge ? 3 : 1, row: row), .down)
        let column = page.size.columns - right.width - (isLarge ? 3 : 1)
        page.draw(right, at: Point(column: column, row: row), .up)
    }

    /// Titles on the left, what is set on the right; the row at which the grown-up is stays in view.
    private func drawList(_ content: Cards, _ index: Int, _ page: inout Page, _ rows: Range<Int>) {
        let cards = content.cards
        let width = min(page.size.columns - 2, 60)
        let left = (page.size.columns - width) / 2
        page.centre("\(index + 1) of \(cards.count)", row: rows.upperBound - 1, palette.quiet)
        let room = rows.count - 1
        let top = min(max(0, index - room / 2), max(0, cards.count - room))
        let first = rows.lowerBound + max(0, (room - cards.count) / 3)
        for (offset, card) in cards.dropFirst(top).prefix(room).enumerated() {
            let number = top + offset
            let line = (number == index ? "> " : "  ") + row(card, width - 3) + " "
            page.write(
                line, at: Point(column: left, row: first + offset),
                number == index ? palette.chosen : .plain, .card(number))
        }
    }

    private func row(_ card: Card, _ columns: Int) -> String {
        let title = card.title.sanitised.truncated(to: columns, ellipsis: "~")
        let free = columns - CharacterWidth.columns(title) - 2
        let detail = free > 3 ? card.detail.sanitised.truncated(to: free, ellipsis: "~") : ""
        let gap = columns - CharacterWidth.columns(title) - CharacterWidth.columns(detail)
        return title + String(repeating: " ", count: gap) + detail
    }
}

// MARK: - Levels

extension PracticeView {
    /// The task above, the answer to a mistake or hint, or praise, below, and between them the largest drawing that fits.
    private func draw(_ playing: Playing, _ page: inout Page, _ rows: Range<Int>) {
        let columns = page.size.columns
        let rules = playing.level.game.rules
        let compact = rules.compact(palette, in: Size(columns: columns, rows: rows.count - 1))
        let drawings = rules.drawings(palette) + [compact]
        let fitting = { (texts: Int) in
            drawings.first { $0.fits(Size(columns: columns, rows: rows.count - texts)) }
        }
        let answer = playing.shownAnswer.wrapped(to: columns - 2)
        let style = playing.isPraised ? palette[.green] : palette.problem
        let task = [Texts.task(playing.level.game)]
        if let drawing = fitting(2) {
            let room = max(1, rows.count - 1 - drawing.height)
            let below = answer.count <= room ? answer : [playing.shownAnswer]
            page.centre(task, from: rows.lowerBound, to: rows.upperBound, palette.quiet)
            page.centre(below, from: rows.upperBound - below.count, to: rows.upperBound, style)
            // One row stays free for an answer, so that the drawing never moves.
            page.centre(drawing, in: rows.lowerBound + 1..<rows.upperBound - max(1, below.count))
        } else if let drawing = fitting(1) {
            let above = answer.isEmpty ? task : [playing.shownAnswer]
            page.centre(above, from: rows.lowerBound, to: rows.upperBound, style)
            page.centre(drawing, in: rows.dropFirst())
        } else {
            page.centre(fitting(0) ?? compact, in: rows)
        }
    }
}

// MARK: - The other stages

extension PracticeView {
    private func draw(_ typing: Typing, _ page: inout Page, _ rows: Range<Int>) {
        let columns = page.size.columns - 4
        let typed = typing.field.text.sanitised
        let shown = typing.isSecret ? String(repeating: "*", count: typed.count) : typed
        let below = typing.field.problem ?? typing.hint
        let title = typing.title.wrapped(to: columns)
        let hasFrame = rows.count >= 10
        let fieldWidth = min(columns - 4, 44)
        // The end of a long text; what is cut off is marked.
        let end = shown.end(columns: fieldWidth - 1)
        let line = (end == shown ? shown : "~" + shown.end(columns: fieldWidth - 2)) + "_"
        var row = rows.lowerBound + max(0, (rows.count - title.count - (hasFrame ? 7 : 4)) / 2)
        row = page.centre(title, from: row, to: rows.upperBound, palette.title) + 1
        if hasFrame {
            let box = palette.box(width: fieldWidth + 2, height: 1, palette.quiet)
            page.centre(box, in: row..<row + 3)
            row += 1
        }
        page.centre(line, row: row, palette[.cyan])
        page.centre(
            below.wrapped(to: columns), from: row + (hasFrame ? 3 : 1), to: rows.upperBound,
            typing.field.problem == nil ? palette.quiet : palette.problem)
    }

    private func draw(_ celebration: Celebration, _ page: inout Page, _ rows: Range<Int>) {
        let solved = model.player?.today.activitiesCompleted ?? 0
        let columns = page.size.columns - 2
        let texts = [
            Grid(Texts.solved(celebration.coins).wrapped(to: columns), palette.title),
            Grid(Texts.again(solved, model.streak).wrapped(to: columns), palette.quiet),
        ].inAColumn()
        let button = Grid(["  \(Texts.goOn)  "], palette.chosen)
        let below = texts.above(button, gap: 1)
        let forms = [
            scene(celebration, height: rows.count - below.height - 1).above(below, gap: 1), below,
            texts.above(button),
        ]
        page.centre(
            forms.first { $0.fits(Size(columns: page.size.columns, rows: rows.count)) } ?? button, in: rows,
            .both)
    }

    /// The figure jumps, and the coins fall beside it, one after the other, from as high as there is room.
    private func scene(_ celebration: Celebration, height: Int) -> Grid {
        let cards =
            [model.player.flatMap { Avatar(rawValue: $0.avatarName) }.map(CardDrawing.init)]
            .compactMap(\.self) + Array(repeating: .coin, count: celebration.coins)
        let drawings = cards.map { Grid($0.small, palette[$0.tint]) }
        let (tallest, frame) = (drawings.map(\.height).max() ?? 0, celebration.frame)
        let drop = min(max(0, height - tallest), 9)
        var scene = Grid.blank(width: drawings.reduce(0) { $0 + $1.width + 2 } - 2, height: tallest + drop)
        var column = 0
        for (index, drawing) in drawings.enumerated() {
            let coin = index - (drawings.count - celebration.coins)
            let fallen = coin < 0 ? drop - min(drop, [0, 1, 2, 1][frame % 4]) : min(drop, frame - 6 * coin)
            if fallen >= 0 { scene.draw(drawing, at: Point(column: column, row: fallen)) }
            column += drawing.width + 2
        }
        return scene
    }

    private func draw(_ video: ApprovedVideo, _ page: inout Page, _ rows: Range<Int>) {
        let texts = [
            Texts.watching(video.title), video.link, Texts.comeBack(model.hasKeys),
        ]
        let lines = texts.map {
            $0.sanitised.wrapped(to: page.size.columns - 2).map { Grid([$0], palette.title) }
        }
        let text = lines.map { $0.inAColumn() }
        let forms = [
            [Grid(CardDrawing.video.large, palette[CardDrawing.video.tint]), text.inAColumn(gap: 1)]
                .inAColumn(gap: 1),
            text.inAColumn(gap: 1),
        ]
        let fitting = forms.first { $0.fits(Size(columns: page.size.columns, rows: rows.count)) }
        page.centre(fitting ?? briefly(video, page.size.columns - 2), in: rows, .both)
    }

    /// The whole link below one row of the title: where no browser opens it, it has to be typed.
    private func briefly(_ video: ApprovedVideo, _ columns: Int) -> Grid {
        let title = Texts.watching(video.title).sanitised.truncated(to: columns, ellipsis: "~")
        return Grid([title] + video.link.wrapped(to: columns), palette.title)
    }

    /// Sentences below each other; those at the end for which there is no room are left out.
    private func draw(_ lines: [String], _ page: inout Page, _ rows: Range<Int>) {
        var wrapped = lines.map { $0.sanitised.wrapped(to: page.size.columns - 4) }
        while wrapped.count > 1, wrapped.reduce(0, { $0 + $1.count }) > rows.count { wrapped.removeLast() }
        let apart = Array(wrapped.joined(separator: [""]))
        let shown = apart.count <= rows.count ? apart : wrapped.flatMap(\.self)
        let row = rows.lowerBound + max(0, (rows.count - shown.count) / 2)
        page.centre(shown, from: row, to: rows.upperBound)
    }

    /// A page of text, which never leaves more of the screen free than it must.
    private func draw(_ lines: [String], from top: Int, _ page: inout Page, _ rows: Range<Int>) {
        let width = page.size.columns - 4
        let wrapped = lines.map { $0.sanitised.wrapped(to: width) }
        let first = wrapped.prefix(top).reduce(0) { $0 + $1.count }
        let all = wrapped.flatMap(\.self)
        let hidden = max(0, all.count - rows.count + 1)
        let start = min(first, hidden)
        for (row, line) in zip(rows.dropLast(), all.dropFirst(start)) {
            page.write(line, at: Point(column: 2, row: row))
        }
        if start < hidden { page.centre(Texts.more, row: rows.upperBound - 1, palette.quiet) }
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
