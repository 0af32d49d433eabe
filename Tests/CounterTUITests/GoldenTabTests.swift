import CounterModel
import Testing

@testable import CounterTUI

@Suite("Golden screens of Live") struct LiveGoldenTests {
    @Test(arguments: LiveState.allCases)
    func states(state: LiveState) throws {
        try expectGolden(state.screens, "live/\(state.rawValue)", (80, 24))
        // These have the layout of `warning`.
        if [.full, .overcrowded].contains(state) { return }
        try expectGolden(state.screens, "live/\(state.rawValue)", (40, 12))
    }

    @Test(arguments: [LiveState.warning, .stale, .twelve], Sample.places)
    func withoutColourAndUTF8(state: LiveState, place: (Int, Int)) throws {
        try expectGolden(state.screens, "live/\(state.rawValue)", place, .least)
    }

    @Test func aLargeTerminalTheConsoleAndTheHelp() throws {
        try expectGolden(LiveState.twelve.screens, "live/twelve", (200, 60))
        try expectGolden(LiveState.enlarged.screens, "live/enlarged", (200, 60))
        try expectGolden(LiveState.overcrowded.screens, "live/overcrowded", (80, 24), .console)
        let screens = LiveState.ok.screens
        screens.type("?")
        try expectGolden(screens, "live/help", (40, 12))
    }
}

@Suite("Golden screens of History") struct HistoryGoldenTests {
    @Test(arguments: HistorySample.allCases, Sample.places)
    func states(sample: HistorySample, place: (Int, Int)) throws {
        try expectGolden(sample.screens(), "history-\(sample.rawValue)", place)
        if [.day, .anomalies].contains(sample) {
            try expectGolden(sample.screens(), "history-\(sample.rawValue)", place, .least)
        }
    }

    @Test func aLargeTerminalAndTheConsole() throws {
        try expectGolden(HistorySample.day.screens(), "history-day", (200, 60))
        for sample in [HistorySample.day, .anomalies] {
            try expectGolden(sample.screens(), "history-\(sample.rawValue)", (80, 24), .console)
        }
    }

    @Test(arguments: [(80, 24, Capabilities.best), (40, 12, .least)])
    func overlays(place: (Int, Int, Capabilities)) throws {
        for (name, keys) in [("help", "?"), ("all-anomalies", "a"), ("range", "f2026-11-01")] {
            let screens = HistorySample.anomalies.screens()
            screens.type(keys)
            try expectGolden(screens, "history-\(name)", (place.0, place.1), place.2)
        }
    }
}

@Suite("Golden screens of Admin") struct AdminGoldenTests {
    @Test(arguments: AdminState.allCases, Sample.places)
    func states(state: AdminState, place: (Int, Int)) throws {
        // At 40×12 what these have more of is below the screen.
        let isLonger = state == .manyDevices || state == .snapshots
        let name = isLonger && place.0 == 40 ? "ordinary" : state.rawValue
        try expectGolden(state.screens, "admin/\(name)", place)
    }

    @Test(arguments: Sample.places)
    func aFieldWithAProblemAndAQuestion(place: (Int, Int)) throws {
        let screens = AdminState.ordinary.screens
        screens.press([.key(.down), .key(.enter), .character("x"), .key(.enter)])
        try expectGolden(screens, "admin/field", place)
        let asking = AdminState.ordinary.screens
        asking.context.ask(.sample())
        try expectGolden(asking, "admin/question", place)
    }

    @Test(arguments: [(20, 6), (20, 8)])
    func aQuestionWithoutRoomBeginsWithWhatMatters(place: (Int, Int)) throws {
        let screens = AdminState.ordinary.screens
        screens.context.ask(.sample(of: String(repeating: "北口", count: 32)))
        try expectGolden(screens, "admin/question", place)
        screens.press([.key(.pageUp)])
        try expectGolden(screens, "admin/question-last", place)
    }

    @Test(arguments: [(20, 6), (22, 6)])
    func keysThatHaveNoRoomAreLeftOut(place: (Int, Int)) throws {
        try expectGolden(AdminState.ordinary.screens, "admin/keys", place)
    }

    @Test func aFieldWhoseLocationIsGone() throws {
        let screens = AdminState.ordinary.screens
        screens.type("c+3 late")
        screens.context.locations.offer([.init(id: "Hall", name: "Hall")], preferred: "Hall")
        try expectGolden(screens, "admin/gone", (40, 12))
    }

    @Test func aDeviceThatIsChosenAndTheEndOfALongList() throws {
        let screens = AdminState.manyDevices.screens
        screens.press(Array(repeating: .key(.down), count: 25))
        try expectGolden(screens, "admin/manyDevices-chosen", (80, 24))
        try expectGolden(screens, "admin/manyDevices-chosen", (40, 12))
        screens.press([.key(.end)])
        try expectGolden(screens, "admin/manyDevices-end", (80, 24))
    }

    @Test(arguments: [AdminState.ordinary, .viewer], Sample.places)
    func withoutColourAndUTF8(state: AdminState, place: (Int, Int)) throws {
        let screens = state.screens
        try expectGolden(screens, "admin/\(state.rawValue)", place, .least)
        screens.context.ask(.sample())
        try expectGolden(screens, "admin/\(state.rawValue)-question", place, .least)
    }

    @Test func aLargeTerminalTheConsoleAndTheHelp() throws {
        try expectGolden(AdminState.manyDevices.screens, "admin/manyDevices", (200, 60))
        try expectGolden(AdminState.viewer.screens, "admin/viewer", (80, 24), .console)
        let screens = AdminState.ordinary.screens
        screens.type("?")
        try expectGolden(screens, "admin/help", (40, 12))
    }
}

@Suite("Golden screens of Timers") struct TimersGoldenTests {
    private static let keys: [(String, [TerminalEvent])] = [
        ("ordinary", []), ("line-on-count", [.character("1")]), ("settings", [.key(.end), .key(.up)]),
        ("field", [.character("n"), .character("x"), .key(.enter)]),
    ]

    @Test(arguments: keys, Sample.places)
    func afterKeys(screen: (String, [TerminalEvent]), place: (Int, Int)) throws {
        let screens = TimersSample.ordinary.screens(at: 28)
        screens.press(screen.1)
        try expectGolden(screens, "timers/\(screen.0)", place)
    }

    @Test(arguments: Sample.places)
    func nothingYet(place: (Int, Int)) throws {
        try expectGolden(TimersSample().screens(at: 0), "timers/nothing", place)
    }

    @Test func aLargeTerminal() throws {
        try expectGolden(TimersSample.ordinary.screens(at: 28), "timers/ordinary", (200, 60))
    }

    @Test(arguments: Sample.places + [(20, 8)])
    func anAlarm(place: (Int, Int)) throws {
        let screens = TimersSample.ordinary.screens(at: 900)
        screens.count.insistence = 2
        try expectGolden(screens, "timers/alarm", place)
        screens.type("1")
        screens.count.flash = .alarm
        try expectGolden(screens, "timers/alarm-on-count", place)
    }

    @Test(arguments: Sample.places)
    func withoutColourAndUTF8(place: (Int, Int)) throws {
        let screens = TimersSample.ordinary.screens(at: 900)
        screens.timers.mayChange = false
        screens.count.insistence = 3
        try expectGolden(screens, "timers/viewer", place, .least)
    }
}
