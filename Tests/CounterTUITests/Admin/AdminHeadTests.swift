import CounterModel
import Testing

@testable import CounterTUI

@Suite("Head of Admin") struct AdminHeadTests {
    /// The line at so many columns.
    private func head(_ name: String, _ level: Int, user: String = "ada", columns: Int = 80) -> String {
        let screens = AdminState.ordinary.screens
        screens.context.locations.offer(
            [.init(id: "default", name: name), .init(id: "Hall", name: "Hall")], preferred: "default")
        screens.admin.user = (user, .viewer)
        screens.admin.state = CounterState(level, of: 5)
        let frame = ScreensView(.best).draw(screens, size: Size(columns: columns, rows: 12))
        return frame.grid.lines[1]
    }

    @Test func `A long name leaves the count and who looks where they are`() {
        let head = head(String(repeating: "long name ", count: 12) + "18", 3)
        #expect(head.contains("…"))
        #expect(head.contains(" name 18  3 of 5"))
        #expect(head.hasSuffix("ada, viewer"))
        #expect(head.hasPrefix(" < 1/2 > long name "))
    }

    @Test func `A long user's name leaves the count, and the role as long as it can`() {
        let user = String(repeating: "x", count: 90)
        #expect(head("North door", 3, user: user).hasPrefix(" < 1/2 > North door  3 of 5"))
        #expect(head("North door", 3, user: user).hasSuffix(" viewer"))
        #expect(head("North door", 3, columns: 40).hasPrefix(" < 1/2 > North door  3 of 5"))
        #expect(head("North door", 3, columns: 24).contains("3 of 5"))
    }

    @Test func `Drift is told where it is corrected`() {
        #expect(head("North door", -2).contains("North door  0 of 5  2 more out than in"))
        #expect(!head("North door", 0).contains("drift"))
    }
}
