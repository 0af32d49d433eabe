import CounterModel
import Testing

@testable import CounterTUI
@testable import Reports

@Suite("Keys and clicks of History") struct HistoryViewModelTests {
    private let screens = HistorySample.anomalies.screens()

    private var lines: [String] { screens.lines() }

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
            let typed = screens.type("\(key)\(key.uppercased())")
            #expect(typed == ["choose \(choice)", "choose \(choice)"])
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
        #expect(screens.press(.key(.home)) == "latest")
    }

    @Test func `An alert is no row of the list`() {
        screens.count.notice = "the disk is full"
        #expect(screens.press(.key(.down)) == "move 1 of \(visible - 1)")
    }

    @Test func `A range is typed into a field, which stays open until the range is read`() throws {
        #expect(try screens.click("[From-to]") == "")
        screens.type("2h")
        #expect(screens.press(.key(.enter)) == "show 2h")
        #expect(screens.context.field?.field.text == "2h")
    }

    @Test func `All anomalies are one key or click away`() throws {
        #expect(try screens.click("[A ") == "")
        #expect(screens.context.text == .anomalies)
        #expect(lines.contains { $0.contains("Front door: clock 15 h ahead, 1 event") })
        #expect(screens.type("a") == [""])
        #expect(screens.context.overlay == nil)
        screens.context.locations.offer(
            [.init(id: "ant", name: "Ant", key: LocationKey("a"))], preferred: "ant")
        #expect(try screens.click("[! ") == "")
        #expect(screens.context.text == .anomalies)
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
