import CounterModel
import Testing

@testable import CounterTUI

@Suite("Golden screens of Timers") struct TimersGoldenTests {
    private static let sizes = [(80, 24), (40, 12)]

    @Test(arguments: sizes + [(200, 60)])
    func ordinary(place: (Int, Int)) throws {
        try expect(TimersSample.ordinary.screens(at: 28), "ordinary", place)
    }

    @Test(arguments: sizes)
    func nothingYet(place: (Int, Int)) throws { try expect(TimersSample().screens(at: 0), "nothing", place) }

    @Test(arguments: [(80, 24), (40, 12), (20, 8)])
    func anAlarm(place: (Int, Int)) throws {
        let screens = TimersSample.ordinary.screens(at: 900)
        screens.count.insistence = 2
        try expect(screens, "alarm", place)
        screens.type("1")
        screens.count.flash = .alarm
        try expect(screens, "alarm-on-count", place)
    }

    @Test(arguments: sizes)
    func theLineOnCount(place: (Int, Int)) throws {
        let screens = TimersSample.ordinary.screens(at: 28)
        screens.type("1")
        try expect(screens, "line-on-count", place)
    }

    @Test(arguments: [(80, 24), (40, 12)])
    func withoutColourAndUTF8(place: (Int, Int)) throws {
        let screens = TimersSample.ordinary.screens(at: 900)
        screens.timers.mayChange = false
        screens.count.insistence = 3
        try expect(screens, "viewer", place, .least)
    }

    @Test(arguments: sizes)
    func theSettingsAtItsEnd(place: (Int, Int)) throws {
        let screens = TimersSample.ordinary.screens(at: 28)
        screens.press([.key(.end), .key(.up)])
        try expect(screens, "settings", place)
    }

    @Test(arguments: sizes)
    func aFieldWithAProblem(place: (Int, Int)) throws {
        let screens = TimersSample.ordinary.screens(at: 28)
        screens.press([.character("n"), .character("x"), .key(.enter)])
        try expect(screens, "field", place)
    }

    private func expect(
        _ screens: Screens, _ name: String, _ place: (Int, Int), _ capabilities: Capabilities = .best
    ) throws {
        let size = Size(columns: place.0, rows: place.1)
        let frame = ScreensView(capabilities).draw(screens, size: size)
        try expectGolden(frame, "timers/\(size.name)/\(name).\(capabilities.name)")
    }
}
