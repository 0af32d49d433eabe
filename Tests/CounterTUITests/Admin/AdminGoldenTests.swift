import CounterModel
import Testing

@testable import CounterTUI

@Suite("Golden screens of Admin") struct AdminGoldenTests {
    private static let sizes = [(80, 24), (40, 12)]

    @Test(arguments: AdminState.allCases, sizes)
    func states(state: AdminState, place: (Int, Int)) throws {
        // At 40×12 what these have more of is below the screen.
        let isLonger = state == .manyDevices || state == .snapshots
        try expect(state.screens, isLonger && place.0 == 40 ? "ordinary" : state.rawValue, place)
    }

    @Test(arguments: sizes)
    func aFieldWithAProblem(place: (Int, Int)) throws {
        let screens = AdminState.ordinary.screens
        screens.press([.key(.down), .key(.enter), .character("x"), .key(.enter)])
        try expect(screens, "field", place)
    }

    @Test(arguments: sizes)
    func aQuestion(place: (Int, Int)) throws {
        let screens = AdminState.ordinary.screens
        screens.context.ask(Self.question)
        try expect(screens, "question", place)
    }

    @Test(arguments: [(20, 6), (20, 8)])
    func aQuestionWithoutRoomBeginsWithWhatMatters(place: (Int, Int)) throws {
        let screens = AdminState.ordinary.screens
        screens.context.ask(Self.question(of: String(repeating: "北口", count: 32)))
        try expect(screens, "question", place)
        screens.press([.key(.pageUp)])
        try expect(screens, "question-last", place)
    }

    @Test(arguments: [(20, 6), (22, 6)])
    func keysThatHaveNoRoomAreLeftOut(place: (Int, Int)) throws {
        try expect(AdminState.ordinary.screens, "keys", place)
    }

    @Test func aFieldWhoseLocationIsGone() throws {
        let screens = AdminState.ordinary.screens
        screens.type("c+3 late")
        screens.context.locations.offer([.init(id: "Hall", name: "Hall")], preferred: "Hall")
        try expect(screens, "gone", (40, 12))
    }

    @Test func aDeviceThatIsChosenAndTheEndOfALongList() throws {
        let screens = AdminState.manyDevices.screens
        screens.press(Array(repeating: .key(.down), count: 25))
        try expect(screens, "manyDevices-chosen", (80, 24))
        try expect(screens, "manyDevices-chosen", (40, 12))
        screens.press([.key(.end)])
        try expect(screens, "manyDevices-end", (80, 24))
    }

    @Test func aLargeTerminal() throws {
        try expect(AdminState.manyDevices.screens, "manyDevices", (200, 60))
    }

    @Test(arguments: [AdminState.ordinary, .viewer], [(80, 24), (40, 12)])
    func withoutColourAndUTF8(state: AdminState, place: (Int, Int)) throws {
        try expect(state.screens, state.rawValue, place, .least)
        let screens = state.screens
        screens.context.ask(Self.question)
        try expect(screens, "\(state.rawValue)-question", place, .least)
    }

    @Test func console() throws { try expect(AdminState.viewer.screens, "viewer", (80, 24), .console) }

    @Test func help() throws {
        let screens = AdminState.ordinary.screens
        screens.type("?")
        try expect(screens, "help", (40, 12))
    }

    static var question: Question { question(of: "North door") }

    static func question(of name: String, yes: @escaping Action = {}) -> Question {
        Question(
            title: "End the day?", subject: name, gist: "12 becomes 0",
            paragraphs: [
                "\(name): 2026-11-20 04:00:00 to 2026-11-21 04:00:05",
                "count 12, in 340, out 328, highest 118, average 41.3, peak 18:00 with 52 in",
                "This is archived, and 12 becomes 0. Undo takes it back.",
            ],
            yes: yes)
    }

    private func expect(
        _ screens: Screens, _ name: String, _ place: (Int, Int), _ capabilities: Capabilities = .best
    ) throws {
        let size = Size(columns: place.0, rows: place.1)
        let frame = ScreensView(capabilities).draw(screens, size: size)
        try expectGolden(frame, "admin/\(size.name)/\(name).\(capabilities.name)")
    }
}
