import Testing

@testable import CounterTUI

@Suite("Golden screens") struct GoldenScreenTests {
    @Test(arguments: Sample.sizes, [Look.best, .least])
    func numbers(size: Size, look: Look) throws {
        for level in Sample.levels {
            let screen = Sample.screen(Sample.ordinary(level), size.columns, size.rows, look)
            try expectGolden(screen, "\(size.name)/\(level).\(look.name)")
        }
    }

    @Test func console() throws {
        try expectGolden(Sample.screen(Sample.ordinary(-1234), 80, 24, .console), "80x24/-1234.halves.eight")
    }

    enum State: String, CaseIterable {
        case fresh, held, unreadable, noSource, notStored, flash, manySources, strangeNames
    }

    @Test(arguments: State.allCases, [(80, 24, Look.best), (40, 12, .best), (20, 6, .least)])
    func states(state: State, place: (Int, Int, Look)) throws {
        let (columns, rows, look) = place
        let screen = Sample.screen(Self.model(state), columns, rows, look)
        try expectGolden(screen, "\(columns)x\(rows)/\(state.rawValue).\(look.name)")
    }

    @Test(arguments: ["?", "d"], [(80, 24, Look.best), (40, 12, .least)])
    func overlays(key: Character, place: (Int, Int, Look)) throws {
        let (columns, rows, look) = place
        var model = ScreensViewModel(count: Sample.ordinary())
        let view = { (model: ScreensViewModel) in
            ScreensView(model, look: look).draw(size: Size(columns: columns, rows: rows))
        }
        _ = model.intent(for: .character(key), on: view(model))
        let name = key == "?" ? "help" : "details"
        try expectGolden(view(model), "\(columns)x\(rows)/\(name).\(look.name)")
        _ = model.intent(for: .character(" "), on: view(model))
        try expectGolden(view(model), "\(columns)x\(rows)/\(name)-page-2.\(look.name)")
    }

    /// The picture in the README: the golden screen of the same name.
    @Test func picture() throws {
        let model = Self.model(.held)
        let picture = Picture(grid: Sample.screen(model, 80, 24).grid, title: model.title)
        try expectFile("docs/count.svg", picture.svg)
    }

    private static func model(_ state: State) -> CountViewModel {
        var model = Sample.ordinary()
        switch state {
        case .fresh: model = CountViewModel()
        case .held: model.sources = [SourceStatus(name: "Dial", state: .held)]
        case .unreadable: model.sources = [model.sources[2]]
        case .noSource:
            model.sources = []
            model.problem = SourceProblem(
                reason: "no device with volume keys is here", remedy: "plug one in, or type + and -")
        case .notStored:
            model.notStored = 3
            model.notice = "the disk is full; counting goes on"
        case .flash: model.flash = true
        case .manySources:
            model.sources = (1...12).map { SourceStatus(name: "Remote control \($0)", state: .held) }
        case .strangeNames:
            model.sources = [
                SourceStatus(name: "Esc\u{1B}[31m\u{7}bell\u{9B}2J", state: .held),
                SourceStatus(name: "シャッター 遙控器", state: .shared),
                SourceStatus(name: "a\u{202E}bidi 👩‍👩‍👧 e\u{301}\u{301}\u{301}\u{301}\u{301}", state: .shared),
                SourceStatus(name: String(repeating: "very long ", count: 40), state: .noAccess),
            ]
            model.location = "Eingang\nWest \u{1B}]0;x\u{7}"
        }
        return model
    }
}
