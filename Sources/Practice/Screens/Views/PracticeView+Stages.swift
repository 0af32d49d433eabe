import CounterTUI
import Linux

extension PracticeView {
    func draw(_ typing: Typing, _ page: inout Page, _ rows: Range<Int>) {
        let columns = page.size.columns - 4
        let typed = typing.field.text.sanitised
        let shown = typing.purpose.isSecret ? String(repeating: "*", count: typed.count) : typed
        let below = typing.problem ?? Texts.hint(typing.purpose)
        let title = Texts.title(typing.purpose).wrapped(to: columns)
        let hasFrame = rows.count >= 10
        let fieldWidth = min(columns - 4, 44)
        let end = shown.truncatedAtStart(to: fieldWidth - 1) + "_"
        var row = rows.lowerBound + max(0, (rows.count - title.count - (hasFrame ? 7 : 4)) / 2)
        row = page.centre(title, from: row, to: rows.upperBound, palette.title) + 1
        if hasFrame {
            let box = Frame(look.glyphs).box(width: fieldWidth + 2, height: 1, palette.quiet)
            page.centre(box, in: row..<row + 3)
            row += 1
        }
        page.centre(end, row: row, palette[.cyan])
        page.centre(
            below.wrapped(to: columns), from: row + (hasFrame ? 3 : 1), to: rows.upperBound,
            typing.problem == nil ? palette.quiet : palette.problem)
    }

    func draw(_ celebration: Celebration, _ page: inout Page, _ rows: Range<Int>) {
        let coins = Array(
            repeating: Sketch(Drawing.coin.small, palette[Drawing.coin.tint]), count: celebration.coins)
        let solved = model.player?.todayActivitiesCompleted ?? 0
        let columns = page.size.columns - 2
        let texts = [
            Sketch(Texts.solved(celebration.coins).wrapped(to: columns), palette.title),
            Sketch(Texts.again(solved).wrapped(to: columns), palette.quiet),
        ].inAColumn()
        let button = Sketch(["  \(Texts.goOn)  "], palette.chosen)
        let forms = [
            coins.inARow(gap: 2).above(texts, gap: 1).above(button, gap: 1), texts.above(button, gap: 1),
            texts.above(button),
        ]
        page.centre(
            forms.first { $0.fits(Size(columns: page.size.columns, rows: rows.count)) } ?? button, in: rows,
            .both)
    }

    func draw(_ watching: Watching, _ page: inout Page, _ rows: Range<Int>) {
        let texts = [Texts.watching(watching.video.title), watching.video.link, Texts.comeBack]
        let lines = texts.map {
            $0.sanitised.wrapped(to: page.size.columns - 2).map { Sketch([$0], palette.title) }
        }
        let text = lines.map { $0.inAColumn() }
        let forms = [
            [Sketch(Drawing.video.large, palette[Drawing.video.tint]), text.inAColumn(gap: 1)].inAColumn(
                gap: 1),
            text.inAColumn(gap: 1),
        ]
        let fitting = forms.first { $0.fits(Size(columns: page.size.columns, rows: rows.count)) }
        page.centre(fitting ?? briefly(watching, page.size.columns - 2), in: rows, .both)
    }

    /// The whole link below one row of the title: where no browser opens it, it has to be typed.
    private func briefly(_ watching: Watching, _ columns: Int) -> Sketch {
        let title = Texts.watching(watching.video.title).sanitised.truncated(to: columns, ellipsis: "~")
        return Sketch([title] + watching.video.link.wrapped(to: columns), palette.title)
    }

    /// Sentences below each other; those at the end for which there is no room are left out.
    func draw(_ lines: [String], _ page: inout Page, _ rows: Range<Int>) {
        var wrapped = lines.map { $0.sanitised.wrapped(to: page.size.columns - 4) }
        while wrapped.count > 1, wrapped.reduce(0, { $0 + $1.count }) > rows.count { wrapped.removeLast() }
        let apart = Array(wrapped.joined(separator: [""]))
        let shown = apart.count <= rows.count ? apart : wrapped.flatMap(\.self)
        let row = rows.lowerBound + max(0, (rows.count - shown.count) / 2)
        page.centre(shown, from: row, to: rows.upperBound)
    }

    /// A page of text, which never leaves more of the screen free than it must.
    func draw(_ lines: [String], from top: Int, _ page: inout Page, _ rows: Range<Int>) {
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
    /// The end of the text in at most `columns` columns; one that is cut off begins with `~`.
    fileprivate func truncatedAtStart(to columns: Int) -> String {
        guard CharacterWidth.columns(self) > columns else { return self }
        var rest = self[...]
        while CharacterWidth.columns(String(rest)) > columns - 1, !rest.isEmpty { rest.removeFirst() }
        return "~" + rest
    }
}
