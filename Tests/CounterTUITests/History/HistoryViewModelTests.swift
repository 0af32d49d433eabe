import CounterModel
import Testing

@testable import CounterTUI
@testable import Reports

@Suite("Keys and clicks of History") struct HistoryViewModelTests {
    private let screens = HistorySample.anomalies.screens()

    private var lines: [String] {
        screens.lines()
    }

    private var field: TextField? { screens.context.field?.field }

    private func press(_ event: TerminalEvent) -> String? { screens.press(event) }

    private func press(_ character: Character) -> String? { screens.press(.character(character)) }

    /// How many rows of the list are on the screen.
    private var visible: Int {
        lines.count - 2 - (lines.firstIndex { $0.hasPrefix(" ────────") } ?? 0)
    }

    @Test func `Ranges have keys, small and capital, and can be clicked`() throws {
        let choices: [(Character, String, HistorySelection)] = [
            ("t", "[Today]", .today), ("y", "[Yesterday]", .yesterday), ("w", "[Week]", .lastDays(7)),
            ("m", "[Month]", .lastDays(30)),
        ]
        for (key, label, choice) in choices {
            #expect(press(key) == "choose \(choice)")
            #expect(press(.character(Character(key.uppercased()))) == "choose \(choice)")
            #expect(try screens.click(label) == "choose \(choice)")
        }
    }

    @Test func `Arrows and angle brackets go to the range before and after`() throws {
        #expect(screens.press([.key(.left), .key(.right)]) == ["step before", "step after"])
        #expect(screens.type("<>") == ["step before", "step after"])
        #expect(try screens.click("[<]") == "step before")
        #expect(try screens.click("[>]") == "step after")
    }

    @Test func `The list moves by rows, pages and the wheel, and to both ends`() {
        let visible = visible
        #expect(visible > 3)
        let moves = [
            "move 1", "move -1", "scroll \(visible - 1)", "scroll \(1 - visible)", "scroll 3", "scroll -6",
            "earliest",
        ]
        #expect(
            screens.press([
                .key(.down), .key(.up), .key(.pageDown), .key(.pageUp), .scroll(1), .scroll(-2), .key(.end),
            ]) == moves.map { "\($0) of \(visible)" })
        #expect(press(.key(.home)) == "latest")
    }

    @Test func `An alert is no row of the list`() {
        screens.count.notice = "the disk is full"
        #expect(press(.key(.down)) == "move 1 of \(visible - 1)")
    }

    @Test func `Other locations are neighbours`() {
        #expect(press("[") == "")
        #expect(screens.context.locations.selected == "default")
        #expect(press("p") == nil)
        #expect(press("]") == "")
        #expect(screens.context.locations.selected == "hall")
    }

    @Test func `A range is typed in a box, in which other keys mean nothing else`() throws {
        #expect(try screens.click("[From-to]") == "")
        #expect(field != nil)
        screens.type("?q1tyw")
        #expect(field?.text == "?q1tyw")
        #expect(press(.key(.left)) == "")
        #expect(press("\u{7F}") == "")
        #expect(field?.text == "?q1tw")
        #expect(press(.key(.enter)) == "show ?q1tw")
        #expect(field != nil)
        #expect(press("\u{3}") == "quit")
        #expect(press(.key(.escape)) == "")
        #expect(screens.context.overlay == nil)
        screens.type("f")
        #expect(field == TextField())
        screens.context.closeField()
        #expect(screens.context.overlay == nil)
    }

    @Test func `What is wrong with a range stands in the box until it is edited`() {
        screens.type("f2026-13-01")
        screens.context.refuseField("that is no date")
        #expect(lines.contains { $0.contains("that is no date") })
        screens.type("x")
        #expect(!lines.contains { $0.contains("that is no date") })
    }

    @Test func `All anomalies are one key or click away`() throws {
        #expect(try screens.click("[A ") == "")
        #expect(screens.context.text == .anomalies)
        #expect(lines.contains { $0.contains("Front door: clock 15 h ahead, 1 event") })
        #expect(press("a") == "")
        #expect(screens.context.overlay == nil)
        screens.context.locations.offer(
            [.init(id: "ant", name: "Ant", key: LocationKey("a"))], preferred: "ant")
        #expect(try screens.click("[! ") == "")
        #expect(screens.context.text == .anomalies)
    }

    @Test func `Keys of other screens mean nothing here`() {
        for character in "+-ruvd " { #expect(press(character) == nil, "\(character)") }
        for key in [TerminalEvent.Key.enter, .escape, .delete] { #expect(press(.key(key)) == nil) }
    }

    @Test(arguments: HistorySample.allCases, [Capabilities.best, .console, .least])
    func `The key line is there at every size`(sample: HistorySample, capabilities: Capabilities) {
        let screens = sample.screens(rows: 3)
        for columns in stride(from: 20, to: 130, by: 7) {
            for rows in 6...40 {
                let frame = screens.frame(columns, rows, capabilities)
                #expect(frame.grid.lines[rows - 1].contains("["))
            }
        }
    }
}
