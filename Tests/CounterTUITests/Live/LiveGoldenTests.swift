import Testing

@testable import CounterTUI

@Suite("Golden screens of Live") struct LiveGoldenTests {
    @Test(arguments: LiveState.allCases)
    func states(state: LiveState) throws { try expect(state, (80, 24), .best) }

    /// `full` and `overcrowded` have the layout of `warning`.
    @Test(arguments: LiveState.allCases.filter { ![.full, .overcrowded].contains($0) })
    func statesOnASmallTerminal(state: LiveState) throws { try expect(state, (40, 12), .best) }

    @Test(arguments: [LiveState.warning, .stale, .twelve], [(80, 24), (40, 12)])
    func withoutColourAndUTF8(state: LiveState, place: (Int, Int)) throws {
        try expect(state, place, .least)
    }

    @Test(arguments: [LiveState.twelve, .enlarged])
    func aLargeTerminal(state: LiveState) throws { try expect(state, (200, 60), .best) }

    @Test func console() throws { try expect(.overcrowded, (80, 24), .console) }

    @Test func help() throws {
        let screens = LiveState.ok.screens
        screens.type("?")
        let frame = ScreensView(.best).draw(screens, size: Size(columns: 40, rows: 12))
        try expectGolden(frame, "live/40x12/help.\(Capabilities.best.name)")
    }

    private func expect(_ state: LiveState, _ place: (Int, Int), _ capabilities: Capabilities) throws {
        let size = Size(columns: place.0, rows: place.1)
        let frame = ScreensView(capabilities).draw(state.screens, size: size)
        try expectGolden(frame, "live/\(size.name)/\(state.rawValue).\(capabilities.name)")
    }
}
