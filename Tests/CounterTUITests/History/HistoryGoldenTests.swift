import Testing

@testable import CounterTUI

@Suite("Golden screens of History") struct HistoryGoldenTests {
    @Test(arguments: HistorySample.allCases, [(80, 24), (40, 12), (200, 60)])
    func states(sample: HistorySample, place: (Int, Int)) throws {
        for look in [Look.best, .least] { try expect(sample.screens(), sample.rawValue, place, look) }
    }

    @Test func console() throws {
        for sample in [HistorySample.day, .anomalies] {
            try expect(sample.screens(), sample.rawValue, (80, 24), .console)
        }
    }

    @Test(arguments: [(80, 24, Look.best), (40, 12, .least)])
    func overlays(place: (Int, Int, Look)) throws {
        for (name, keys) in [("help", "?"), ("all-anomalies", "a"), ("range", "f2026-11-01")] {
            var model = HistorySample.anomalies.screens()
            for key in keys {
                _ = model.intent(for: .character(key), on: Screen(size: Size(columns: 80, rows: 24)))
            }
            try expect(model, name, (place.0, place.1), place.2)
        }
    }

    private func expect(_ model: ScreensViewModel, _ name: String, _ place: (Int, Int), _ look: Look) throws {
        let screen = ScreensView(model, look: look).draw(size: Size(columns: place.0, rows: place.1))
        try expectGolden(screen, "\(place.0)x\(place.1)/history-\(name).\(look.name)")
    }
}
