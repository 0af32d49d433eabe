import CounterTUI
import Linux

/// The decks: one card at a time for players, a list for the grown-up.
extension PracticeView {
    /// The least height at which a card has its large drawing.
    private static let largeRows = 16

    func drawCard(_ deck: Deck, _ index: Int, _ page: inout Page, _ rows: Range<Int>) {
        let cards = model.cards(of: deck)
        let card = cards[min(index, cards.count - 1)]
        var rows = rows
        if deck == .home, model.isTimeForBreak, rows.count > 8 {
            page.centre(Texts.pause, row: rows.lowerBound, palette.problem)
            rows = rows.dropFirst()
        }
        page.centre("\(index + 1) of \(cards.count)", row: rows.upperBound - 1, palette.quiet)
        rows = rows.dropLast()
        let columns = page.size.columns - 8
        let isLarge = rows.count >= Self.largeRows
        let parts = [art(card, isLarge: isLarge), texts(card, columns - 6)]
        let inside = parts.compactMap(\.self).inAColumn(gap: isLarge ? 1 : 0)
        let width = min(columns - 2, max(inside.width + 4, isLarge ? 34 : 0))
        if inside.height + 2 <= rows.count, isLarge || card.art == nil {
            // Cards of one height, so that going through them moves nothing.
            let height = isLarge ? max(inside.height + 2, Self.largeRows - 3) : inside.height
            var box = Frame(look.glyphs).box(width: width, height: height, palette.quiet)
            box.put(inside, row: 1 + (height - inside.height) / 2, column: 1 + (width - inside.width) / 2)
            page.centre(box, in: rows, .both)
        } else {
            let whole = inside.height <= rows.count ? inside : texts(card, columns)
            page.centre(whole, in: rows, .both)
        }
        drawArrows(&page, rows, isLarge: isLarge)
    }

    private func art(_ card: Card, isLarge: Bool) -> Sketch? {
        card.art.map { Sketch(isLarge ? $0.large : $0.small, palette[$0.tint]) }
    }

    private func texts(_ card: Card, _ columns: Int) -> Sketch {
        let title = card.title.sanitised.wrapped(to: columns)
        let detail = card.detail.sanitised.wrapped(to: columns)
        return [(title, palette.title), (detail, palette.quiet)].filter { !$0.0.isEmpty }
            .flatMap { lines, style in lines.map { Sketch([$0], style) } }.inAColumn()
    }

    /// The way to the cards on both sides, which can be clicked.
    private func drawArrows(_ page: inout Page, _ rows: Range<Int>, isLarge: Bool) {
        let left = Sketch(isLarge ? ["  /", " / ", "<  ", " \\ ", "  \\"] : ["<"], palette.key)
        let right = Sketch(isLarge ? ["\\  ", " \\ ", "  >", " / ", "/  "] : [">"], palette.key)
        let row = rows.lowerBound + (rows.count - left.height) / 2
        page.draw(left, at: Point(column: isLarge ? 3 : 1, row: row), .down)
        let column = page.size.columns - right.width - (isLarge ? 3 : 1)
        page.draw(right, at: Point(column: column, row: row), .up)
    }

    /// Titles on the left, what is set on the right; the row at which the grown-up is stays in view.
    func drawList(_ deck: Deck, _ index: Int, _ page: inout Page, _ rows: Range<Int>) {
        let cards = model.cards(of: deck)
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
