import CounterModel
import Testing

@testable import CounterTUI
@testable import Reports

@Suite("Golden screens") struct GoldenScreenTests {
    private func expect(
        _ model: CountViewModel, _ name: String, _ place: (Int, Int), _ capabilities: Capabilities = .best
    ) throws {
        try expectGolden(Sample.count(model), name, place, capabilities)
    }

    @Test(arguments: Sample.places + [(18, 5)], [Capabilities.best, .least])
    func numbers(place: (Int, Int), capabilities: Capabilities) throws {
        // In ASCII only the shapes of the digits differ, and all of them are in these.
        for level in capabilities == .best ? Sample.levels : [-999_999, Int.min] {
            try expect(Sample.ordinary(level), "\(level)", place, capabilities)
        }
    }

    @Test func aLargeTerminalAndTheConsole() throws {
        try expect(Sample.ordinary(-999_999), "-999999", (200, 60))
        try expect(Sample.ordinary(-1234), "-1234", (80, 24), .console)
    }

    enum State: String, CaseIterable {
        case fresh, exclusive, unreadable, noPermission, noDevice, notStored, flash, manyDevices, strangeNames
        case keyed, target, targetReached, elsewhere
    }

    /// At 40×12 these differ from `noPermission` in the words of one line only.
    private static let wide: Set<State> = [.unreadable, .noDevice]

    @Test(arguments: State.allCases, [(80, 24, Capabilities.best), (40, 12, .best), (20, 6, .least)])
    func states(state: State, place: (Int, Int, Capabilities)) throws {
        if place.0 == 40, Self.wide.contains(state) { return }
        try expect(Self.model(state), state.rawValue, (place.0, place.1), place.2)
    }

    @Test(arguments: [(80, 24, Capabilities.best), (40, 12, .least)])
    func instructions(place: (Int, Int, Capabilities)) throws {
        let screens = Sample.count(Self.model(.noPermission))
        screens.type("d")
        try expectGolden(screens, "instructions", (place.0, place.1), place.2)
    }

    @Test(arguments: ["?", "d"], [(80, 24, Capabilities.best), (40, 12, .least)])
    func overlays(key: Character, place: (Int, Int, Capabilities)) throws {
        let screens = Sample.count(Sample.ordinary())
        screens.type(String(key))
        let name = key == "?" ? "help" : "details"
        try expectGolden(screens, name, (place.0, place.1), place.2)
        screens.type(" ")
        // All of it is on one page where there is room.
        try expectGolden(screens, place.0 == 80 ? name : "\(name)-page-2", (place.0, place.1), place.2)
    }

    /// The pictures of the documents, with all tabs, for pages with a dark and with a light background.
    @Test(arguments: ["count", "devices", "first-run", "live", "history", "timers"])
    func picture(name: String) throws {
        let screens = Self.screens(name)
        if name == "devices" { screens.type("d") }
        for (ground, suffix) in [(Picture.Ground.dark, ""), (.light, "-light")] {
            let picture = Picture(grid: screens.frame().grid, ground: ground, title: screens.count.title)
            try expectFile("docs/\(name)\(suffix).svg", picture.svg)
        }
    }

    private static func screens(_ name: String) -> Screens {
        switch name {
        case "live": LiveState.house
        case "timers": TimersSample.ordinary.screens(at: 28)
        case "history": HistorySample.day.screens(tabs: Screens.Tab.allCases)
        default: Screens(count: pictured(name))
        }
    }

    private static func pictured(_ name: String) -> CountViewModel {
        var model = Self.model(.exclusive)
        switch name {
        case "devices":
            model.inputDevices = [
                DeviceStatus(name: "AB Shutter3", state: .exclusive),
                DeviceStatus(name: "AT Translated Set 2 keyboard", state: .exclusive),
                DeviceStatus(
                    name: "Old Keyboard", state: .shared,
                    reason: "/dev/input/event9 is a keyboard, which a grab would silence"),
            ]
        case "first-run":
            let silent = Self.model(.noPermission)
            model = Self.model(.fresh)
            (model.inputDevices, model.problem) = (silent.inputDevices, silent.problem)
        default: break
        }
        return model
    }

    private static let keyed = [
        ("robin", "Robin", "a", 1234), ("wren", "Wren", "s", 3),
        ("long", "A finch that has a long name", "d", -7),
        ("finch", "Zaunkönig\u{1B}[31m", "ö", 12),
    ].compactMap { id, name, key, count in
        LocationKey(key).map { KeyedLocation(id: id, name: name, key: $0, count: count) }
    }

    private static func model(_ state: State) -> CountViewModel {
        var model = Sample.ordinary()
        switch state {
        case .fresh: model = CountViewModel()
        case .exclusive: model.inputDevices = [DeviceStatus(name: "Dial", state: .exclusive)]
        case .unreadable: model.inputDevices = [model.inputDevices[2]]
        case .noDevice:
            model.inputDevices = []
            model.problem = Diagnosis(
                "no device with volume keys is here", hint: "plug one in, or type + and -")
        case .noPermission:
            model.inputDevices = [DeviceStatus(name: "AT Translated Set 2 keyboard", state: .noAccess)]
            model.problem = Diagnosis(
                "the volume keys are not heard: no permission to read them",
                hint: "make install mends that; D shows how; + and - count meanwhile",
                steps: [
                    .init(
                        "make install", effect: "make install sets up the key service.",
                        RemedyCommand(["make", "-C", "/home/ada/counter", "install"]))
                ],
                note: "This screen notices by itself when that is done.")
        case .notStored:
            model.notStored = 3
            model.notice = "the disk is full; counting goes on"
        case .flash: model.flash = .number
        case .keyed:
            (model.state, model.step) = (CounterState(1234, target: 2000, at: "robin"), 10)
            model.keyed = keyed
        case .target: model.state = CounterState(1234, target: 2000)
        case .targetReached:
            model.state = CounterState(1234, target: 1234)
            model.notice = "North door: target of 1234 reached"
        case .elsewhere:
            model.inputDevices = [
                DeviceStatus(name: "Shutter", state: .exclusive, location: "Hall"),
                DeviceStatus(name: "Remote", state: .exclusive, location: "Cellar (hidden)"),
            ]
        case .manyDevices:
            model.inputDevices = (1...12).map {
                DeviceStatus(name: "Remote control \($0)", state: .exclusive)
            }
        case .strangeNames:
            model.inputDevices = [
                DeviceStatus(name: "Esc\u{1B}[31m\u{7}bell\u{9B}2J", state: .exclusive),
                DeviceStatus(name: "シャッター 遙控器", state: .shared),
                DeviceStatus(name: "a\u{202E}bidi 👩‍👩‍👧 e\u{301}\u{301}\u{301}\u{301}\u{301}", state: .shared),
                DeviceStatus(name: String(repeating: "very long ", count: 40), state: .noAccess),
            ]
            model.location = "Eingang\nWest \u{1B}]0;x\u{7}"
        }
        return model
    }
}
