import TestSupport
import Testing

/// Both volume keys acknowledge the end of a timer, and reset nothing then. What follows from a press is tested in
/// CountingTests/Tabs/TimersTabTests.
@Suite(.serialized) struct TimerKeysTests {
    @Test func `Both keys acknowledge, and reset nothing; held they start it again`() throws {
        let rig = try Rig()
        try rig.place.run("add", "3")
        try rig.listen(["--chord", "390ms"])
        try rig.place.run("timer", "start", "1s", "Robins", "--keep")
        try eventually("its end") { try rig.place.run("timer", "list").output.contains("ended") }
        // The listener notices it by itself.
        pause(.milliseconds(500))
        try rig.device.down(.volumeUp, then: .milliseconds(50))
        try rig.device.down(.volumeDown, then: .milliseconds(2500))
        try eventually("it to be acknowledged, and another one") {
            try rig.place.run("timer", "list", "--json").output.contains("acknowledgedAt")
                && rig.place.run("timer", "results", "--json").output.split(separator: "\n").count == 2
        }
        try rig.device.up(.volumeUp, then: .quick)
        try rig.device.up(.volumeDown, then: .apart)
        #expect(try rig.place.show() == "3")
        #expect(try rig.place.verify().status == .exited(0))
    }
}
