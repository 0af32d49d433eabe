import CounterTUI
import Practice
import System

extension PracticeView {
    func draw(_ deck: Deck, _ index: Int, _ page: inout Page, _ rows: Range<Int>) {
        let cards = model.cards(of: deck)
        let card = cards[min(index, cards.count - 1)]
        let title = card.title.wrapped(to: page.size.columns - 4)
        let detail = card.detail.wrapped(to: page.size.columns - 4)
        let needed = card.art.count + title.count + detail.count + 1
        let hasArt = needed <= rows.count
        let height = hasArt ? needed : needed - card.art.count
        var row = rows.lowerBound + max(0, (rows.count - height) / 2)
        if hasArt { row = page.centre(card.art, from: row, to: rows.upperBound, palette.art, .both) }
        row = page.centre(title, from: row, to: rows.upperBound, palette.title, .both)
        row = page.centre(detail, from: row, to: rows.upperBound, palette.quiet, .both)
        page.centre("\(index + 1) of \(cards.count)", row: min(row, rows.upperBound - 1), palette.quiet)
        drawArrows(&page, row: rows.lowerBound + rows.count / 2)
    }

    /// The way to the cards on both sides, which can be clicked.
    private func drawArrows(_ page: inout Page, row: Int) {
        page.write("<", at: Point(column: 1, row: row), palette.key, .down)
        page.write(">", at: Point(column: page.size.columns - 2, row: row), palette.key, .up)
    }

    func draw(_ typing: Typing, _ page: inout Page, _ rows: Range<Int>) {
        let columns = page.size.columns - 4
        let typed = typing.field.text.sanitised
        let shown = typing.purpose.isSecret ? String(repeating: "*", count: typed.count) : typed
        let cursor = String(repeating: "_", count: 1)
        let visible = String(shown.suffix(max(1, columns - 1)))
        var row = rows.lowerBound + max(0, (rows.count - 6) / 2)
        row = page.centre(
            Texts.title(typing.purpose).wrapped(to: columns), from: row, to: rows.upperBound, palette.title)
        page.centre(visible + cursor, row: row + 1, palette.art)
        let below = typing.problem ?? Texts.hint(typing.purpose)
        page.centre(
            below.wrapped(to: columns), from: row + 3, to: rows.upperBound,
            typing.problem == nil ? palette.quiet : palette.problem)
    }

    func draw(_ celebration: Celebration, _ page: inout Page, _ rows: Range<Int>) {
        let solved = model.player?.todayActivitiesCompleted ?? 0
        let lines = [Texts.solved(celebration.coins), Texts.again(solved), "", Texts.goOn]
        draw(lines, &page, rows, art: Drawings.star)
    }

    func draw(_ lines: [String], _ page: inout Page, _ rows: Range<Int>, art: [String]) {
        let fits = art.count + lines.count <= rows.count
        let height = lines.count + (fits ? art.count : 0)
        var row = rows.lowerBound + max(0, (rows.count - height) / 2)
        if fits { row = page.centre(art, from: row, to: rows.upperBound, palette.art, .both) }
        page.centre(lines, from: row, to: rows.upperBound, palette.title, .both)
    }

    func draw(_ lines: [String], _ page: inout Page, _ rows: Range<Int>, isCentred: Bool = true) {
        let wrapped = lines.flatMap {
            $0.sanitised.wrapped(to: page.size.columns - 4) + (isCentred ? [""] : [])
        }
        guard isCentred else {
            for (row, line) in zip(rows, wrapped) { page.write(line, at: Point(column: 2, row: row)) }
            return
        }
        let row = rows.lowerBound + max(0, (rows.count - wrapped.count) / 2)
        page.centre(wrapped, from: row, to: rows.upperBound)
    }
}
