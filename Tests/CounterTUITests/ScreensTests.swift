import Testing

@testable import CounterTUI

@Suite("Keys of all screens and of Count") struct ScreensTests {
    private let screens = Screens(count: Sample.ordinary())

    @Test(arguments: [
        ("+=", "count in"), ("-", "count out"), ("rR", "reset"), ("u", "undo"), ("U", "redo"),
        ("vV", "capture"),
        ("qQ\u{3}", "quit"), ("\u{C}", "repaint"), ("\u{1A}", "suspend"),
    ])
    func everyKeyOfTheCountScreen(keys: String, effect: String) {
        for key in keys { #expect(screens.press(.character(key)) == effect) }
    }

    @Test func arrowsCount() {
        #expect(
            screens.press([.key(.up), .key(.right), .key(.down), .key(.left)])
                == ["count in", "count in", "count out", "count out"])
    }

    @Test func whatMeansNothing() {
        for event in [
            TerminalEvent.focusGained, .focusLost, .click(Point(column: 40, row: 8)), .character("\u{1}"),
            .character("é"),
        ] {
            #expect(screens.press(event) == nil)
        }
    }

    @Test func `The tab that is shown is in the top line, however small the terminal`() {
        for location in [nil, "Söder"] {
            for columns in [20, 24, 30, 40] {
                let screens = Screens(count: CountViewModel(level: 1))
                screens.count.location = location
                for (number, tab) in Screens.Tab.allCases.enumerated() {
                    screens.type("\(number + 1)")
                    let line = screens.lines(columns, 6)[0]
                    let isThere =
                        line.contains(" \(number + 1) ") && (location != nil || line.contains(tab.rawValue))
                    #expect(isThere, "\(line)")
                }
            }
        }
    }

    @Test func helpOpensAndCloses() {
        for closing in [TerminalEvent.character("?"), .key(.escape), .key(.enter)] {
            #expect(screens.type("?") == [""])
            #expect(screens.context.text == .help)
            #expect(screens.press(closing) == "")
            #expect(screens.context.overlay == nil)
        }
    }

    @Test func pagesAreTurnedForwardAndBack() {
        func shown() -> String { screens.lines(20, 8).last?.filter { $0.isNumber || $0 == "/" } ?? "" }
        screens.type("?")
        let pages = shown().dropFirst(2)
        #expect(shown() == "1/\(pages)")
        let keys: [(TerminalEvent, String)] = [
            (.character(" "), "2"), (.key(.pageDown), "3"), (.key(.pageUp), "2"), (.key(.pageUp), "1"),
            (.key(.pageUp), "\(pages)"), (.character(" "), "1"),
        ]
        for (key, page) in keys {
            #expect(screens.press(key) == "")
            #expect(shown() == "\(page)/\(pages)", "\(key)")
        }
    }

    @Test func tabsAreReachedByNumberAndByTab() {
        let screens = Screens(count: Sample.ordinary(), tabs: [.count, .count, .count])
        #expect(screens.type("3") == [""])
        #expect(screens.selected == 2)
        #expect(screens.type("4") == [nil])
        _ = screens.press(.key(.tab))
        #expect(screens.selected == 0)
        _ = screens.press(.key(.backTab))
        #expect(screens.selected == 2)
    }

    @Test func keysThatNeedNoScreenAreThoseOfThePlainTerminal() {
        let keys = (1..<0x7F).map { Character(Unicode.Scalar(UInt8($0))) }
        let plain = keys.filter { screens.plainAction(for: .character($0)) != nil }
        #expect(String(plain) == "\u{3}\u{1A}\u{1C}+-=QRUVqruv")
    }

    @Test func captionAndTitle() {
        var model = CountViewModel(level: -1_234_567)
        #expect(model.caption == "Count -1234567")
        #expect(model.title == "Count -1234567")
        model.location = "Hall\u{7}"
        #expect(model.title == "Count -1234567 - Hall?")
    }
}
