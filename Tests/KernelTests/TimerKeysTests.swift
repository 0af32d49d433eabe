import CEvdev
import TestSupport
import Testing

/// Both volume keys acknowledge the end of a timer, and reset nothing then.
@Suite(.serialized) struct TimerKeysTests {
    private func pressBoth(_ remote: VirtualRemote) throws {
        try remote.down(.volumeUp, then: .milliseconds(50))
        try remote.down(.volumeDown, then: .quick)
        try remote.up(.volumeUp, then: .quick)
        try remote.up(.volumeDown, then: .apart)
    }

    /// `capacity` makes the location an occupancy, in which both keys count each for itself at other times.
    @Test(arguments: [nil, "5"])
    func `Both keys acknowledge, single presses count, and then both keys are as ever`(capacity: String?)
        throws
    {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        if let capacity { try place.run("location", "set", "default", "--capacity", capacity) }
        try place.run("timer", "start", "1s", "Robins")
        let terminal = try place.open(["--always", "--chord", "390ms"])
        defer { terminal.close() }
        try terminal.waitForText("exclusive")
        try terminal.waitForText("Robins ended")
        try remote.press(.volumeUp, then: .milliseconds(500))
        try remote.press(.volumeUp, then: .milliseconds(500))
        try terminal.waitForText("Count 2")
        try terminal.waitForText("Robins ended")
        try pressBoth(remote)
        try terminal.waitForScreen("no alarm") { !$0.description.contains("Robins ended") }
        #expect(try place.run("timer", "list").output.contains("completed"))
        #expect(try place.show() == "2")
        // An occupancy counts both keys: one in, one out.
        try pressBoth(remote)
        try terminal.waitForText(capacity == nil ? "Count 0" : "Count 2")
        let rows = try place.exported()
        #expect(rows.filter { $0.contains(",reset,") }.count == (capacity == nil ? 1 : 0))
        #expect(rows.filter { $0.contains(",in,") }.count == (capacity == nil ? 2 : 3))
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `Both keys that are held start it again`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        let listener = try place.listen(["--chord", "390ms"])
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try place.run("timer", "start", "1s", "Robins", "--keep")
        try eventually("its end") { try place.run("timer", "list").output.contains("ended") }
        pause(.milliseconds(500))
        try remote.down(.volumeUp, then: .milliseconds(50))
        try remote.down(.volumeDown, then: .milliseconds(2500))
        try eventually("another one") {
            try place.run("timer", "results", "--json").output.split(separator: "\n").count == 2
        }
        try remote.up(.volumeUp, then: .quick)
        try remote.up(.volumeDown, then: .apart)
        #expect(try place.show() == "0")
    }

    @Test func `Without a screen too`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        try place.run("add", "3")
        let listener = try place.listen(["--chord", "390ms"])
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try place.run("timer", "start", "1s", "Robins")
        try eventually("its end") { try place.run("timer", "list").output.contains("ended") }
        pause(.milliseconds(500))
        try pressBoth(remote)
        try eventually("it to be acknowledged") {
            try place.run("timer", "list").output.contains("completed")
        }
        #expect(try place.show() == "3")
    }
}
