import CounterModel
import Testing

@testable import CounterTUI

@Suite("Golden screens of Admin") struct AdminGoldenTests {
    private static let sizes = [(80, 24), (40, 12), (200, 60)]

    @Test(arguments: AdminState.allCases, sizes)
    func states(state: AdminState, place: (Int, Int)) throws {
        try expect(state.model, state.rawValue, place)
    }

    @Test(arguments: sizes)
    func aFieldWithAProblem(place: (Int, Int)) throws {
        var model = AdminState.ordinary.model
        _ = model.intents([.key(.down), .key(.enter), .character("x"), .key(.enter)])
        try expect(model, "field", place)
    }

    @Test(arguments: sizes)
    func aQuestion(place: (Int, Int)) throws {
        var model = AdminState.ordinary.model
        model.ask(Self.question)
        try expect(model, "question", place)
    }

    @Test(arguments: [(20, 6), (20, 8)])
    func aQuestionWithoutRoomBeginsWithWhatMatters(place: (Int, Int)) throws {
        var model = AdminState.ordinary.model
        model.ask(Self.question(of: String(repeating: "北口", count: 32)))
        try expect(model, "question", place)
        _ = model.intents([.key(.pageUp)])
        try expect(model, "question-last", place)
    }

    @Test(arguments: [(20, 6), (22, 6)])
    func keysThatHaveNoRoomAreLeftOut(place: (Int, Int)) throws {
        try expect(AdminState.ordinary.model, "keys", place)
    }

    @Test func aFieldWhoseLocationIsGone() throws {
        var model = AdminState.ordinary.model
        _ = model.type("c+3 late")
        model.locations.offer([.init(id: "Hall", name: "Hall")], preferred: "Hall")
        try expect(model, "gone", (40, 12))
    }

    @Test func aDeviceThatIsChosenAndTheEndOfALongList() throws {
        var model = AdminState.manyDevices.model
        _ = model.intents(Array(repeating: .key(.down), count: 25))
        try expect(model, "manyDevices-chosen", (80, 24))
        try expect(model, "manyDevices-chosen", (40, 12))
        _ = model.intents([.key(.end)])
        try expect(model, "manyDevices-end", (80, 24))
    }

    @Test(arguments: [AdminState.ordinary, .viewer], [(80, 24), (40, 12)])
    func withoutColourAndUTF8(state: AdminState, place: (Int, Int)) throws {
        try expect(state.model, state.rawValue, place, .least)
        var model = state.model
        model.ask(Self.question)
        try expect(model, "\(state.rawValue)-question", place, .least)
    }

    @Test func console() throws { try expect(AdminState.viewer.model, "viewer", (80, 24), .console) }

    @Test func help() throws {
        var model = AdminState.ordinary.model
        _ = model.type("?")
        try expect(model, "help", (40, 12))
    }

    static var question: Question { question(of: "North door") }

    static func question(of name: String) -> Question {
        Question(
            title: "End the day?", subject: name, gist: "12 becomes 0",
            paragraphs: [
                "\(name): 2026-11-20 04:00:00 to 2026-11-21 04:00:05",
                "final 12, in 340, out 328, highest 118, average 41.3, peak 18:00 with 52 in",
                "This is archived, and 12 becomes 0. Undo takes it back.",
            ], yes: .admin(.change(.endDay(of: "default"))))
    }

    private func expect(
        _ model: ScreensViewModel, _ name: String, _ place: (Int, Int), _ capabilities: Capabilities = .best
    ) throws {
        let size = Size(columns: place.0, rows: place.1)
        let frame = ScreensView(model, capabilities: capabilities).draw(size: size)
        try expectGolden(frame, "admin/\(size.name)/\(name).\(capabilities.name)")
    }
}
