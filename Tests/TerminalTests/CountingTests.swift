import TestSupport
import Testing

/// What is typed becomes a number on the screen and the same number in the journal.
@Suite struct CountingTests {
    @Test func `The first start shows 0, and nothing is wrong with that`() throws {
        let place = try Workplace()
        let terminal = try place.open()
        defer { terminal.close() }
        try terminal.waitForText("Count 0")
        #expect(try place.show() == "0")
        #expect(try place.verify().status == .exited(0))
    }
}
