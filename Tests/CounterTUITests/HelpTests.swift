import Testing

@testable import CounterTUI

@Suite("Help") struct HelpTests {
    /// Narrow, so that the cards of Live are one below the other.
    private static let frame = Frame(size: Size(columns: 24, rows: 40))

    private static let named: [String: [TerminalEvent]] = [
        "Up": [.key(.up)], "Down": [.key(.down)], "Left": [.key(.left)], "Right": [.key(.right)],
        "Arrows": [.key(.up), .key(.down), .key(.left), .key(.right)], "PgUp": [.key(.pageUp)],
        "PgDn": [.key(.pageDown)], "Home": [.key(.home)], "End": [.key(.end)], "Enter": [.key(.enter)],
        "Escape": [.key(.escape)], "Tab": [.key(.tab)], "Shift-Tab": [.key(.backTab)],
        "1-5": "12345".map { .character($0) }, "Ctrl-C": [.character("\u{3}")],
        "Ctrl-L": [.character("\u{C}")], "Ctrl-Z": [.character("\u{1A}")],
    ]

    private static var all: [TerminalEvent] {
        let characters = (0x20..<0x7F).map { TerminalEvent.character(Character(Unicode.Scalar(UInt8($0)))) }
        return named.values.flatMap(\.self) + [.key(.delete)] + characters
    }

    /// The events that a word of the help stands for; a letter is typed in lower and upper case.
    private func events(_ word: Substring) -> [TerminalEvent] {
        if let events = Self.named[String(word)] { return events }
        #expect(word.count == 1, "\(word)")
        return [word.lowercased(), word.uppercased()].map { .character(Character($0)) }
    }

    /// A tab that can scroll in each direction and has a device, a timer and a preset to change.
    private func model(_ tab: ScreensViewModel.Tab) throws -> ScreensViewModel {
        let sample = AdminState.ordinary.model
        var model = ScreensViewModel(count: Sample.ordinary())
        (model.admin, model.locations) = (sample.admin, sample.locations)
        model.locations.select("Hall")
        model.admin.choose(.device("usb:1"))
        model.timers = TimersSample.ofAPreset.screens(at: 1).timers
        let number = try #require(ScreensViewModel.Tab.allCases.firstIndex(of: tab)) + 1
        _ = model.intent(for: .character(Character("\(number)")), on: Self.frame)
        #expect(model.tab == tab)
        return model
    }

    private func help(of model: ScreensViewModel) -> [(keys: String, meaning: String)] {
        let bindings = model.tabKeys(in: Self.frame.grid.size) + model.commonKeys
        return HelpText(theme: Theme(.best), bindings: bindings).rows
    }

    @Test(arguments: ScreensViewModel.Tab.allCases)
    func `Every key that does something is named, and no other`(tab: ScreensViewModel.Tab) throws {
        // The first line is of the volume keys, which are no keys of the terminal.
        let keys = try help(of: model(tab)).dropFirst()
        let words = keys.flatMap { $0.keys.split { " ,;".contains($0) } }.filter { $0 != "or" }
        let named = Set(words.flatMap(events))
        for event in Self.all {
            var model = try model(tab)
            let intent = model.intent(for: event, on: Self.frame)
            #expect((intent != nil) == named.contains(event), "\(event)")
        }
    }

    @Test(arguments: ScreensViewModel.Tab.allCases)
    func `The help is one page of a small frame`(tab: ScreensViewModel.Tab) throws {
        var model = try model(tab)
        _ = model.intent(for: .character("?"), on: Self.frame)
        let frame = ScreensView(model, capabilities: .best).draw(size: Size(columns: 40, rows: 12))
        let text = frame.grid.lines.joined()
        let keys = help(of: model)
        #expect(keys.allSatisfy { text.contains($0.keys + " ") && text.contains(" " + $0.meaning + " ") })
    }
}
