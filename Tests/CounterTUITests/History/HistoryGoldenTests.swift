import Testing

@testable import CounterTUI

@Suite("Golden screens of History") struct HistoryGoldenTests {
    @Test(arguments: HistorySample.allCases, [(80, 24), (40, 12)])
    func states(sample: HistorySample, place: (Int, Int)) throws {
        try expect(sample.screens(), sample.rawValue, place, .best)
    }

    @Test(arguments: [HistorySample.day, .anomalies], [(80, 24), (40, 12)])
    func withoutColourAndUTF8(sample: HistorySample, place: (Int, Int)) throws {
        try expect(sample.screens(), sample.rawValue, place, .least)
    }

    @Test func aLargeTerminal() throws {
        try expect(HistorySample.day.screens(), "day", (200, 60), .best)
    }

    @Test func console() throws {
        for sample in [HistorySample.day, .anomalies] {
            try expect(sample.screens(), sample.rawValue, (80, 24), .console)
        }
    }

    @Test(arguments: [(80, 24, Capabilities.best), (40, 12, .least)])
    func overlays(place: (Int, Int, Capabilities)) throws {
        for (name, keys) in [("help", "?"), ("all-anomalies", "a"), ("range", "f2026-11-01")] {
            let screens = HistorySample.anomalies.screens()
            screens.type(keys)
            try expect(screens, name, (place.0, place.1), place.2)
        }
    }

    private func expect(
        _ screens: Screens, _ name: String, _ place: (Int, Int), _ capabilities: Capabilities
    ) throws {
        let frame = ScreensView(capabilities).draw(
            screens,
            size: Size(columns: place.0, rows: place.1))
        try expectGolden(frame, "\(place.0)x\(place.1)/history-\(name).\(capabilities.name)")
    }
}
