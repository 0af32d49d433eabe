import Testing

@testable import CounterTUI

@Suite("Keys and intents") struct ScreensViewModelTests {
    private let frame = Sample.frame(Sample.ordinary(), 80, 24)

    private func intent(_ event: TerminalEvent) -> Intent? {
        var model = ScreensViewModel(count: Sample.ordinary(), tabs: [.count])
        return model.intent(for: event, on: frame)
    }

    @Test func everyKeyOfTheCountScreen() {
        for character in "+=" { #expect(intent(.character(character)) == .countUp) }
        for key in [TerminalEvent.Key.up, .right] { #expect(intent(.key(key)) == .countUp) }
        #expect(intent(.character("-")) == .countDown)
        for key in [TerminalEvent.Key.down, .left] { #expect(intent(.key(key)) == .countDown) }
        for character in "rR" { #expect(intent(.character(character)) == .reset) }
        for character in "uU" { #expect(intent(.character(character)) == .undo) }
        for character in "vV" { #expect(intent(.character(character)) == .toggleCapture) }
        for character in "qQ\u{3}" { #expect(intent(.character(character)) == .quit) }
        #expect(intent(.character("\u{C}")) == .repaint)
        #expect(intent(.resize(Size(columns: 1, rows: 1))) == .redraw)
    }

    @Test func whatMeansNothing() {
        for character in "x0298 \u{1}é" { #expect(intent(.character(character)) == nil, "\(character)") }
        for key in [TerminalEvent.Key.escape, .enter, .pageUp, .pageDown] {
            #expect(intent(.key(key)) == nil)
        }
        #expect(intent(.focusGained) == nil)
        #expect(intent(.focusLost) == nil)
        #expect(intent(.click(Point(column: 40, row: 8))) == nil)
    }

    @Test func helpOpensAndCloses() {
        for closing in [TerminalEvent.character("?"), .key(.escape), .key(.enter)] {
            var model = ScreensViewModel(count: Sample.ordinary())
            #expect(model.intent(for: .character("?"), on: frame) == .redraw)
            #expect(model.overlay == .help)
            #expect(model.intent(for: closing, on: frame) == .redraw)
            #expect(model.overlay == nil)
        }
    }

    @Test func pagesAreTurnedForwardAndBack() {
        var model = ScreensViewModel(count: Sample.ordinary())
        let size = Size(columns: 20, rows: 8)
        func shown() -> String {
            ScreensView(model, capabilities: .best).draw(size: size).grid.lines.last?.filter {
                $0.isNumber || $0 == "/"
            } ?? ""
        }
        _ = model.intent(for: .character("?"), on: frame)
        let pages = shown().dropFirst(2)
        #expect(shown() == "1/\(pages)")
        let keys: [(TerminalEvent, String)] = [
            (.character(" "), "2"), (.key(.pageDown), "3"), (.key(.pageUp), "2"), (.key(.pageUp), "1"),
            (.key(.pageUp), "\(pages)"), (.character(" "), "1"),
        ]
        for (key, page) in keys {
            #expect(model.intent(for: key, on: frame) == .redraw)
            #expect(shown() == "\(page)/\(pages)", "\(key)")
        }
    }

    @Test func countingWorksUnderAnOverlay() {
        var model = ScreensViewModel(count: Sample.ordinary())
        _ = model.intent(for: .character("d"), on: frame)
        #expect(model.overlay == .details)
        #expect(model.intent(for: .character("+"), on: frame) == .countUp)
        #expect(model.intent(for: .key(.down), on: frame) == .countDown)
        #expect(model.intent(for: .character("q"), on: frame) == .quit)
        #expect(model.overlay == .details)
    }

    @Test func tabsAreReachedByNumberAndByTab() {
        var model = ScreensViewModel(count: Sample.ordinary(), tabs: [.count, .count, .count])
        #expect(model.intent(for: .character("3"), on: frame) == .redraw)
        #expect(model.selected == 2)
        #expect(model.intent(for: .character("4"), on: frame) == nil)
        _ = model.intent(for: .key(.tab), on: frame)
        #expect(model.selected == 0)
        _ = model.intent(for: .key(.backTab), on: frame)
        #expect(model.selected == 2)
    }

    @Test func captionAndTitle() {
        var model = CountViewModel(level: -1_234_567)
        #expect(model.caption == "Count -1234567")
        #expect(model.title == "Count -1234567")
        model.location = "Hall\u{7}"
        #expect(model.title == "Count -1234567 - Hall?")
    }
}
