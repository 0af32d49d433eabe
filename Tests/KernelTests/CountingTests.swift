import CEvdev
import Glibc
import TestSupport
import Testing

/// Presses of real keys become numbers on a real screen and in the journal.
@Suite(.serialized) struct CountingTests {
    @Test func `Three up and one down are two, on the screen, in the journal, and after a restart`() throws {
        let rig = try Rig()
        let first = try rig.place.open()
        try first.waitForText("Count 0")
        try first.waitForText("exclusive")
        for _ in 1...3 { try rig.device.press(.volumeUp, then: .apart) }
        try rig.device.press(.volumeDown)
        try first.waitForText("Count 2")
        #expect(try rig.place.show() == "2")
        try first.type("q")
        #expect(try first.waitForExit() == .exited(0))

        let second = try rig.place.open()
        try second.waitForText("Count 2")
    }

    @Test func `Presses at 200 ms are all counted`() throws {
        let presses = Volume.of(sample: 20, full: 100)
        let rig = try Rig()
        let listener = try rig.listen()
        for _ in 1...presses { try rig.device.press(.volumeUp, then: .milliseconds(200)) }
        let heard = try rig.place.awaitPresses(presses, [rig.reader])
        try listener.expectLines((1...(presses - heard)).map(String.init))
        if heard > 0 { try listener.waitForErrorLine("counter was stopped or busy") }
    }

    @Test func `A key held for 1.93 s counts twelve`() throws {
        let rig = try Rig()
        try rig.listen()
        let count = try rig.place.awaitCount(in: rig.device.hold(.volumeUp, for: .milliseconds(1930)))
        // One more press shows that nothing else was counted before it.
        try rig.device.press(.volumeDown)
        try rig.place.awaitCount(count - 1)
        let undone = try rig.place.run("undo")
        #expect(undone.output == "\(count)\n")
        // Undo takes back a hold as one change.
        #expect(try rig.place.run("undo").output == "0\n")
    }

    @Test func `Both keys 50 ms apart reset, and leave no trace in the totals`() throws {
        let rig = try Rig()
        // The longest valid chord time: a slow kernel takes time between two presses.
        let terminal = try rig.open(["--always", "--chord", "390ms"])
        try rig.device.press(.volumeUp, then: .milliseconds(500))
        try terminal.waitForText("Count 1")
        try rig.device.down(.volumeUp, then: .milliseconds(50))
        try rig.device.down(.volumeDown, then: .quick)
        try rig.device.up(.volumeUp, then: .quick)
        try rig.device.up(.volumeDown, then: .apart)
        try terminal.waitForText("reset at")
        try terminal.waitForText("Count 0")
        let rows = try rig.place.exported()
        #expect(rows.filter { $0.contains(",in,") || $0.contains(",out,") }.count == 1)
        #expect(rows.filter { $0.contains(",reset,") }.count == 1)
        // `u` restores the number.
        try terminal.type("u")
        try terminal.waitForText("Count 1")
    }

    @Test func `Press and release in one frame count once`() throws {
        let rig = try Rig()
        let listener = try rig.listen()
        try rig.device.emit(
            frame: rig.device.frame(.volumeUp, .down) + rig.device.frame(.volumeUp, .up))
        try listener.expectLines(["1"])
        pause(.apart)
        try rig.device.press(.volumeDown)
        try listener.expectLines(["0"])
    }

    @Test func `listen prints 0 where more left a room than entered it, and says how many more`() throws {
        let rig = try Rig()
        try rig.place.run("location", "set", "default", "--capacity", "9")
        let listener = try rig.listen()
        for left in 1...2 {
            try rig.device.press(.volumeDown, then: .apart)
            try listener.expectLines(["0"])
            try listener.waitForErrorLine("default: \(left) more out than in: somebody was missed")
        }
        try rig.device.press(.volumeUp, then: .apart)
        try listener.expectLines(["0"])
        try listener.waitForErrorLine("default: 1 more out than in: somebody was missed")
        for count in 0...1 {
            try rig.device.press(.volumeUp, then: .apart)
            try listener.expectLines(["\(count)"])
        }
        #expect(try rig.place.show() == "1")
    }

    @Test func `The kernel's own autorepeat changes nothing`() throws {
        var description = VirtualRemote.Description(name: "Repeating Remote")
        description.repeats = true
        let rig = try Rig(description)
        try rig.listen()
        // 1 at once, then at 400, 550, 700 and 850 ms.
        let count = try rig.place.awaitCount(in: rig.device.hold(.volumeUp, for: .milliseconds(925)))
        try rig.device.press(.volumeDown)
        try rig.place.awaitCount(count - 1)
    }

    @Test func `Up and down in quick succession are two counts, for their debounces are apart`() throws {
        let rig = try Rig()
        let listener = try rig.listen(["--chord", "5ms"])
        try rig.device.press(.volumeUp, for: .milliseconds(20), then: .milliseconds(20))
        try rig.device.press(.volumeDown, for: .milliseconds(20), then: .milliseconds(20))
        try listener.expectLines(["1", "0"])
    }

    @Test func `Two remotes do not disturb each other`() throws {
        let first = try VirtualRemote(.init(name: "First Remote"))
        let second = try VirtualRemote(.init(name: "Second Remote"))
        let place = try Workplace()
        let listener = try place.listen()
        try listener.waitUntilHeld(["First Remote", "Second Remote"])
        // Volume up on one device and volume down on another at once are no chord.
        try first.down(.volumeUp)
        try second.down(.volumeDown)
        try first.up(.volumeUp)
        try second.up(.volumeDown)
        try first.press(.volumeUp, then: .apart)
        #expect(try listener.readLine() == "1")
        #expect(try listener.readLine() == "0")
    }
}
