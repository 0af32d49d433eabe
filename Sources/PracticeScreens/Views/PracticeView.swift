public import CounterTUI
import Practice

/// Draws what is on the screen: a title, one big thing in the middle, and the keys at the bottom.
public struct PracticeView: Sendable {
    private static let smallest = Size(columns: 20, rows: 6)

    let model: PracticeModel
    let look: Look
    var palette: Palette { Palette(look: look) }

    /// A view of `model` for a terminal that can show `look`.
    public init(_ model: PracticeModel, look: Look) {
        self.model = model
        self.look = look
    }

    /// The screen at `size`. Every size works; below 20×6 it only says so.
    public func draw(size: Size) -> Page {
        var page = Page(size: size)
        if size.columns < Self.smallest.columns || size.rows < Self.smallest.rows {
            page.centre(Texts.tooSmall, row: size.rows / 2)
            return page
        }
        drawTop(&page)
        draw(model.stage, &page, rows: 1..<size.rows - 1)
        if let notice = model.notice {
            page.centre(notice, row: size.rows - 2, palette.problem)
        }
        drawKeys(&page)
        return page
    }

    private func draw(_ stage: Stage, _ page: inout Page, rows: Range<Int>) {
        switch stage {
        case .cards(let deck, let index): draw(deck, index, &page, rows)
        case .typing(let typing): draw(typing, &page, rows)
        case .level(let playing): LevelDrawing(playing, palette).draw(&page, rows)
        case .goOn(let celebration): draw(celebration, &page, rows)
        case .watching(let watching):
            let lines = [Texts.watching(watching.video.title), watching.video.link, "", Texts.comeBack]
            draw(lines, &page, rows, art: Drawings.video)
        case .message(let lines, _): draw(lines, &page, rows)
        case .page(let lines, let top, _): draw(Array(lines.dropFirst(top)), &page, rows, isCentred: false)
        }
    }

    private func drawTop(_ page: inout Page) {
        let title: String =
            switch model.stage {
            case .cards(let deck, _): model.title(of: deck)
            case .level(let playing): Texts.level(playing.level, number: playing.number)
            case .message: model.player?.name ?? Texts.grownUp
            case .typing, .page: Texts.grownUp
            case .goOn, .watching: model.player?.name ?? ""
            }
        let status = model.current == nil ? "" : model.status
        page.write(title, at: Point(column: 1, row: 0), palette.title)
        let free = page.size.columns - CharacterWidth.columns(title) - 3
        let shown = status.truncated(to: max(0, free), ellipsis: "~")
        page.write(
            shown, at: Point(column: page.size.columns - 1 - CharacterWidth.columns(shown), row: 0),
            palette.quiet)
    }

    private func drawKeys(_ page: inout Page) {
        let keys = Texts.keys(model.stage)
        var parts: [(key: String, text: String, input: PracticeInput)] = [
            ("Up", keys.up, .up), ("Down", keys.down, .down), ("Both", keys.both, .both), ("Esc", "", .home),
        ]
        parts.removeAll { $0.text.isEmpty && $0.input != .home }
        if model.isTyping { parts = [("Enter", "", .both), ("Esc", "", .home)] }
        let width = { (hasText: Bool) in
            parts.reduce(0) { $0 + $1.key.count + (hasText && !$1.text.isEmpty ? $1.text.count + 1 : 0) + 3 }
        }
        let hasText = width(true) <= page.size.columns
        var point = Point(column: max(0, (page.size.columns - width(hasText)) / 2), row: page.size.rows - 1)
        for part in parts {
            let text = hasText && !part.text.isEmpty ? " \(part.text)" : ""
            point.column = page.write("[", at: point, .plain, part.input)
            point.column = page.write(part.key, at: point, palette.key, part.input)
            point.column = page.write("\(text)]", at: point, .plain, part.input) + 1
        }
    }
}
