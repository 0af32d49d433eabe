import CounterModel
import Testing

@testable import CounterTUI

@Suite("Golden screens of Timers") struct TimersGoldenTests {
    private static let sizes = [(80, 24), (40, 12), (200, 60)]

    @Test(arguments: sizes)
    func ordinary(place: (Int, Int)) throws {
        try expect(TimersSample.ordinary.screens(at: 28), "ordinary", place)
    }

    @Test(arguments: sizes)
    func nothingYet(place: (Int, Int)) throws { try expect(TimersSample().screens(at: 0), "nothing", place) }

    @Test(arguments: [(80, 24), (40, 12), (20, 8)])
    func anAlarm(place: (Int, Int)) throws {
        var model = TimersSample.ordinary.screens(at: 900)
        model.count.insistence = 2
        try expect(model, "alarm", place)
        _ = model.intent(for: .character("1"), on: Frame(size: Size(columns: 80, rows: 24)))
        model.count.flash = .alarm
        try expect(model, "alarm-on-count", place)
    }

    @Test(arguments: sizes)
    func theLineOnCount(place: (Int, Int)) throws {
        var model = TimersSample.ordinary.screens(at: 28)
        _ = model.intent(for: .character("1"), on: Frame(size: Size(columns: 80, rows: 24)))
        try expect(model, "line-on-count", place)
    }

    @Test(arguments: [(80, 24), (40, 12)])
    func withoutColourAndUTF8(place: (Int, Int)) throws {
        var model = TimersSample.ordinary.screens(at: 900)
        model.timers.mayChange = false
        model.count.insistence = 3
        try expect(model, "viewer", place, .least)
    }

    @Test(arguments: sizes)
    func theSettingsAtItsEnd(place: (Int, Int)) throws {
        var model = TimersSample.ordinary.screens(at: 28)
        let frame = Frame(size: Size(columns: 80, rows: 24))
        for event in [.key(.end), .key(.up)] as [TerminalEvent] { _ = model.intent(for: event, on: frame) }
        try expect(model, "settings", place)
        try expect(model, "settings", place, .least)
    }

    @Test(arguments: sizes)
    func aFieldWithAProblem(place: (Int, Int)) throws {
        var model = TimersSample.ordinary.screens(at: 28)
        let frame = Frame(size: Size(columns: 80, rows: 24))
        for event in [.character("n"), .character("x"), .key(.enter)] as [TerminalEvent] {
            _ = model.intent(for: event, on: frame)
        }
        try expect(model, "field", place)
    }

    private func expect(
        _ model: ScreensViewModel, _ name: String, _ place: (Int, Int), _ capabilities: Capabilities = .best
    ) throws {
        let size = Size(columns: place.0, rows: place.1)
        let frame = ScreensView(model, capabilities: capabilities).draw(size: size)
        try expectGolden(frame, "timers/\(size.name)/\(name).\(capabilities.name)")
    }
}
