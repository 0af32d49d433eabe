import Testing

@testable import CounterTUI

@Suite("What is wrong") struct AlertsTests {
    private static let remedy = "To bring it back: counter location add Hall"
    private static let warning = ["'Hall' is hidden, yet counted here.", remedy]
    private static let text = warning.joined(separator: " ")

    @Test(arguments: [(80, 24), (40, 12), (200, 60)])
    func `A warning stands there whole, with its remedy, beside a notice`(size: (Int, Int)) {
        var model = Sample.ordinary()
        model.warning = Self.warning
        model.notice = "there is nothing to undo"
        let lines = Screens(count: model).lines(size.0, size.1)
        let text = lines.flatMap { $0.split(separator: " ") }.joined(separator: " ")
        #expect(text.contains(Self.text + " there is nothing to undo"))
        #expect(lines[0].hasSuffix(model.caption))
        #expect(lines.contains { $0.contains(Self.remedy) } == (size.0 >= 80))
    }

    @Test func `The remedy of a notice is whole on a line of its own, or behind the problem`() {
        var model = Sample.ordinary()
        model.notice = "Remote of the north door counts into 'Hall', which is hidden.\n" + Self.remedy
        #expect(Screens(count: model).lines().contains { $0.contains(Self.remedy) })
        #expect(Screens(count: model).lines(200).contains { $0.contains("hidden. " + Self.remedy) })
    }

    @Test func `What has no room is cut off where that can be seen`() throws {
        var model = CountViewModel()
        model.notice = Self.text
        let alerts = model.alerts(in: Size(columns: 40, rows: 8))
        #expect(alerts.map(\.text).joined(separator: " ") == Self.text)
        #expect(alerts.count == 2)
        let cut = try #require(Screens(count: model).lines(40, 8).first { $0.contains("…") })
        #expect(cut.contains("bring it back"))
    }

    @Test func `A tab keeps two rows whatever is wrong`() {
        let model = Screens(count: Sample.ordinary())
        (model.count.notStored, model.count.warning, model.count.notice) = (3, Self.warning, Self.text)
        for columns in [20, 40, 80] {
            for rows in 6...24 {
                #expect(model.area(in: Size(columns: columns, rows: rows)).rows >= 2)
            }
        }
    }

    @Test(arguments: [true, false])
    func `A viewer is not offered to acknowledge an alarm`(mayChange: Bool) throws {
        var model = CountViewModel()
        (model.alarm, model.mayChange) = ("Robins ended", mayChange)
        let spans = try Self.first(model)
        let text = spans.map(\.text).joined()
        #expect(text.contains("Robins ended"))
        #expect(text.contains("[Enter Acknowledge]") == mayChange)
        #expect(spans.contains { $0.action != nil } == mayChange)
    }

    @Test func `A warning stands out for a moment where there is no notice`() throws {
        var model = CountViewModel()
        (model.warning, model.flash) = (Self.warning, .notice)
        #expect(try Self.first(model).first?.style == Theme(.best)[.alert])
        model.notice = "the disk is full"
        #expect(try Self.first(model).first?.style == Theme(.best)[.notice])
    }

    /// The first alert on a large terminal.
    private static func first(_ model: CountViewModel) throws -> [Span] {
        let lines = AlertLines(model: model, context: ScreenContext(), theme: Theme(.best)).all(
            in: Size(columns: 200, rows: 60))
        guard case .centred(let spans) = try #require(lines.first) else {
            Issue.record("the alert is not centred")
            return []
        }
        return spans
    }
}
