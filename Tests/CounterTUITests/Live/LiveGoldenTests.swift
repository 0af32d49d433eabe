import Testing

@testable import CounterTUI

@Suite("Golden screens of Live") struct LiveGoldenTests {
    @Test(arguments: LiveState.allCases, [(80, 24), (40, 12), (200, 60)])
    func states(state: LiveState, place: (Int, Int)) throws {
        try expect(state, place, .best)
    }

    @Test(arguments: [LiveState.warning, .stale, .twelve], [(80, 24), (40, 12)])
    func withoutColourAndUTF8(state: LiveState, place: (Int, Int)) throws {
        try expect(state, place, .least)
    }

    @Test func console() throws { try expect(.overcrowded, (80, 24), .console) }

    @Test func help() throws {
        var model = LiveState.ok.model
        _ = model.intent(for: .character("?"), on: Frame(size: Size(columns: 40, rows: 12)))
        let frame = ScreensView(model, capabilities: .best).draw(size: Size(columns: 40, rows: 12))
        try expectGolden(frame, "live/40x12/help.\(Capabilities.best.name)")
    }

    private func expect(_ state: LiveState, _ place: (Int, Int), _ capabilities: Capabilities) throws {
        let size = Size(columns: place.0, rows: place.1)
        let frame = ScreensView(state.model, capabilities: capabilities).draw(size: size)
        try expectGolden(frame, "live/\(size.name)/\(state.rawValue).\(capabilities.name)")
    }
}
