import CounterModel
import Testing

@testable import CounterTUI
@testable import Reports

@Suite("Keys and clicks of History") struct HistoryViewModelTests {
    private static let size = Size(columns: 80, rows: 24)

    private var model = HistorySample.anomalies.screens()

    private var frame: Frame { ScreensView(model, capabilities: .best).draw(size: Self.size) }

    private mutating func press(_ event: TerminalEvent) -> Intent? { model.intent(for: event, on: frame) }

    private mutating func type(_ text: String) { for character in text { _ = press(.character(character)) } }

    /// Clicks the first cell of a text.
    private mutating func click(_ text: String) throws -> Intent? {
        let row = try #require(frame.grid.lines.firstIndex { $0.contains(text) })
        let line = frame.grid.lines[row]
        let column = try #require(line.firstRange(of: text)).lowerBound
        return press(.click(Point(column: line.distance(from: line.startIndex, to: column), row: row)))
    }

    /// The field that is open.
    private var typed: TextField? {
        guard case .field(let prompt) = model.overlay else { return nil }
        return prompt.field
    }

    /// How many rows of the list are on the screen.
    private var visible: Int {
        let lines = frame.grid.lines
        return lines.count - 2 - (lines.firstIndex { $0.hasPrefix(" ────────") } ?? 0)
    }

    @Test mutating func `Ranges have keys, small and capital, and can be clicked`() throws {
        let choices: [(Character, String, HistorySelection)] = [
            ("t", "[Today]", .today), ("y", "[Yesterday]", .yesterday), ("w", "[Week]", .lastDays(7)),
            ("m", "[Month]", .lastDays(30)),
        ]
        for (key, label, choice) in choices {
            #expect(press(.character(key)) == .history(.choose(choice)))
            #expect(press(.character(Character(key.uppercased()))) == .history(.choose(choice)))
            #expect(try click(label) == .history(.choose(choice)))
        }
    }

    @Test mutating func `Arrows go to the range before and after`() throws {
        #expect(press(.key(.left)) == .history(.step(.before)))
        #expect(press(.key(.right)) == .history(.step(.after)))
        #expect(try click("[<]") == .history(.step(.before)))
        #expect(try click("[>]") == .history(.step(.after)))
    }

    @Test mutating func `The list moves by rows, pages and the wheel, and to both ends`() {
        let visible = visible
        #expect(visible > 3)
        #expect(press(.key(.down)) == .history(.move(1, visible: visible)))
        #expect(press(.key(.up)) == .history(.move(-1, visible: visible)))
        #expect(press(.key(.pageDown)) == .history(.scroll(visible - 1, visible: visible)))
        #expect(press(.key(.pageUp)) == .history(.scroll(1 - visible, visible: visible)))
        #expect(press(.scroll(1)) == .history(.scroll(3, visible: visible)))
        #expect(press(.scroll(-2)) == .history(.scroll(-6, visible: visible)))
        #expect(press(.key(.home)) == .history(.showLatest))
        #expect(press(.key(.end)) == .history(.showEarliest(visible: visible)))
    }

    @Test mutating func `An alert is no row of the list`() {
        model.count.notice = "the disk is full"
        #expect(press(.key(.down)) == .history(.move(1, visible: visible - 1)))
    }

    @Test mutating func `Other locations are neighbours`() {
        #expect(press(.character("[")) == .redraw)
        #expect(model.locations.selected == "default")
        #expect(press(.character("p")) == nil)
        #expect(press(.character("]")) == .redraw)
        #expect(model.locations.selected == "hall")
    }

    @Test mutating func `Angle brackets go to the range before and after`() {
        #expect(press(.character("<")) == .history(.step(.before)))
        #expect(press(.character(">")) == .history(.step(.after)))
    }

    @Test mutating func `A range is typed in a box, in which other keys mean nothing else`() throws {
        #expect(try click("[From-to]") == .redraw)
        #expect(typed != nil)
        type("?q1tyw")
        #expect(typed?.text == "?q1tyw")
        #expect(press(.key(.left)) == .redraw)
        #expect(press(.character("\u{7F}")) == .redraw)
        #expect(typed?.text == "?q1tw")
        #expect(press(.key(.enter)) == .history(.show("?q1tw")))
        #expect(typed != nil)
        #expect(press(.character("\u{3}")) == .quit)
        #expect(press(.key(.escape)) == .redraw)
        #expect(model.overlay == nil)
        type("f")
        #expect(typed == TextField())
        model.closeField()
        #expect(model.overlay == nil)
    }

    @Test mutating func `What is wrong with a range stands in the box until it is edited`() {
        type("f2026-13-01")
        model.refuseField("that is no date")
        #expect(frame.grid.lines.contains { $0.contains("that is no date") })
        type("x")
        #expect(!frame.grid.lines.contains { $0.contains("that is no date") })
    }

    @Test mutating func `All anomalies are one key or click away`() throws {
        #expect(try click("[A ") == .redraw)
        #expect(model.overlay == .anomalies)
        #expect(frame.grid.lines.contains { $0.contains("Front door: its clock said 2026-11-22 06:00:00") })
        #expect(press(.character("a")) == .redraw)
        #expect(model.overlay == nil)
    }

    @Test mutating func `Keys of other screens mean nothing here`() {
        for character in "+-ruvd " { #expect(press(.character(character)) == nil, "\(character)") }
        for key in [TerminalEvent.Key.enter, .escape, .delete] { #expect(press(.key(key)) == nil) }
    }

    @Test func `A terminal that has grown shows full pages`() {
        let list = HistoryList(lines: HistorySample.day.screens(rows: 30).history.list.lines, top: 25)
        #expect(list.shown(rows: 5) == list.lines[25..<30])
        #expect(list.shown(rows: 10) == list.lines[20..<30])
        #expect(list.shown(rows: 100) == list.lines[0..<30])
    }

    @Test(arguments: HistorySample.allCases, [Capabilities.best, .console, .least])
    func `Every size works`(sample: HistorySample, capabilities: Capabilities) {
        let model = sample.screens(rows: 3)
        for columns in stride(from: 1, to: 130, by: 7) {
            for rows in 1...40 {
                let frame = ScreensView(model, capabilities: capabilities).draw(
                    size: Size(columns: columns, rows: rows))
                if columns >= 20, rows >= 6 { #expect(frame.grid.lines[rows - 1].contains("[")) }
            }
        }
    }
}
