import CounterModel
import Testing

@testable import CounterTUI

@Suite("Help") struct HelpTests {
    /// Narrow, so that the cards of Live are one below the other.
    private static let size = Size(columns: 24, rows: 40)

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
    private func screens(_ tab: Screens.Tab) -> Screens {
        let screens = TimersSample.ofAPreset.screens(at: 1)
        screens.count = Sample.ordinary()
        let sample = AdminState.ordinary.screens
        screens.context.locations = sample.context.locations
        screens.context.locations.select("Hall")
        screens.admin.state = sample.admin.state
        (screens.admin.devices, screens.admin.days) = (sample.admin.devices, sample.admin.days)
        screens.admin.choose(.device("usb:1"))
        screens.select(tab)
        return screens
    }

    private func help(of screens: Screens) -> [(keys: String, meaning: String)] {
        let bindings = screens.tabKeys(in: Self.size) + screens.commonKeys
        return HelpText(theme: Theme(.best), bindings: bindings, volumeKeys: screens.count.volumeKeys).rows
    }

    @Test(arguments: Screens.Tab.allCases)
    func `Every key that does something is named, and no other`(tab: Screens.Tab) {
        // The first line is of the volume keys, which are no keys of the terminal.
        let keys = help(of: screens(tab)).dropFirst()
        let words = keys.flatMap { $0.keys.split { " ,;".contains($0) } }.filter { $0 != "or" }
        let named = Set(words.flatMap(events))
        for event in Self.all {
            #expect((screens(tab).press(event, Self.size) != nil) == named.contains(event), "\(event)")
        }
    }

    @Test(arguments: Screens.Tab.allCases)
    func `The help is one page of an ordinary screen, and has a line for each key`(tab: Screens.Tab) {
        let screens = screens(tab)
        let keys = help(of: screens)
        screens.type("?")
        let text = screens.lines().joined()
        #expect(keys.allSatisfy { text.contains(" \($0.keys) ") && text.contains(" \($0.meaning) ") })
        // The letters of a location are one line: they count up and down in it.
        let several = keys.map(\.keys).filter { $0.contains(",") || $0.contains(";") }
        #expect(several.allSatisfy { $0.lowercased() == "\($0.prefix(1)), \($0.prefix(1))" }, "\(several)")
        #expect(Set(keys.map(\.meaning)).count == keys.count)
    }

    @Test(arguments: Screens.Tab.allCases)
    func `On a small screen the pages of the help have every word`(tab: Screens.Tab) {
        let screens = screens(tab)
        let words = help(of: screens).flatMap { ($0.keys + " " + $0.meaning).split(separator: " ") }
        screens.type("?")
        var text = ""
        for _ in 0..<8 {
            text += screens.lines(40, 12).joined()
            screens.type(" ")
        }
        #expect(words.allSatisfy { text.contains($0) })
    }
}
