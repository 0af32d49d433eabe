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
        let rig = try Rig()
        if let capacity { try rig.place.run("location", "set", "default", "--capacity", capacity) }
        try rig.place.run("timer", "start", "1s", "Robins")
        let terminal = try rig.open(["--always", "--chord", "390ms"])
        try terminal.waitForText("Robins ended")
        try rig.device.press(.volumeUp, then: .milliseconds(500))
        try rig.device.press(.volumeUp, then: .milliseconds(500))
        try terminal.waitForText("Count 2")
        try terminal.waitForText("Robins ended")
        try pressBoth(rig.device)
        try terminal.waitForScreen("no alarm") { !$0.description.contains("Robins ended") }
        #expect(try rig.place.run("timer", "list", "--json").output.contains("acknowledgedAt"))
        #expect(try rig.place.show() == "2")
        // An occupancy counts both keys: one in, one out.
        try pressBoth(rig.device)
        try terminal.waitForText(capacity == nil ? "Count 0" : "Count 2")
        let rows = try rig.place.exported()
        #expect(rows.filter { $0.contains(",reset,") }.count == (capacity == nil ? 1 : 0))
        #expect(rows.filter { $0.contains(",in,") }.count == (capacity == nil ? 2 : 3))
        #expect(try rig.place.verify().status == .exited(0))
    }

    @Test func `Both keys that are held start it again`() throws {
        let rig = try Rig()
        try rig.listen(["--chord", "390ms"])
        try rig.place.run("timer", "start", "1s", "Robins", "--keep")
        try eventually("its end") { try rig.place.run("timer", "list").output.contains("ended") }
        pause(.milliseconds(500))
        try rig.device.down(.volumeUp, then: .milliseconds(50))
        try rig.device.down(.volumeDown, then: .milliseconds(2500))
        try eventually("another one") {
            try rig.place.run("timer", "results", "--json").output.split(separator: "\n").count == 2
        }
        try rig.device.up(.volumeUp, then: .quick)
        try rig.device.up(.volumeDown, then: .apart)
        #expect(try rig.place.show() == "0")
    }

    @Test func `Without a screen too`() throws {
        let rig = try Rig()
        try rig.place.run("add", "3")
        try rig.listen(["--chord", "390ms"])
        try rig.place.run("timer", "start", "1s", "Robins")
        try eventually("its end") { try rig.place.run("timer", "list").output.contains("ended") }
        pause(.milliseconds(500))
        try pressBoth(rig.device)
        try eventually("it to be acknowledged") {
            try rig.place.run("timer", "list", "--json").output.contains("acknowledgedAt")
        }
        #expect(try rig.place.show() == "3")
    }
}
