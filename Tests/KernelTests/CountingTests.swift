import CEvdev
import Glibc
import TestSupport
import Testing

/// Presses of real keys become numbers on a real screen and in the journal.
@Suite(.serialized) struct CountingTests {
    @Test func `Three up and one down are two, on the screen, in the journal, and after a restart`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        let first = try place.open()
        defer { first.close() }
        try first.waitForText("Count 0")
        try first.waitForText("exclusive")
        for _ in 1...3 { try remote.press(.volumeUp, then: .apart) }
        try remote.press(.volumeDown)
        try first.waitForText("Count 2")
        #expect(try place.show() == "2")
        try first.type("q")
        #expect(try first.waitForExit() == .exited(0))

        let second = try place.open()
        defer { second.close() }
        try second.waitForText("Count 2")
    }

    @Test func `Presses at 200 ms are all counted`() throws {
        let presses = Volume.of(sample: 20, full: 100)
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        let reader = try SecondReader(node: remote.node)
        for _ in 1...presses { try remote.press(.volumeUp, then: .milliseconds(200)) }
        let heard = try place.awaitPresses(presses, [reader])
        try listener.expectLines((1...(presses - heard)).map(String.init))
        if heard > 0 { try listener.waitForErrorLine("counter was stopped or busy") }
    }

    @Test func `A key held for 1.93 s counts twelve`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        let count = try place.awaitCount(in: remote.hold(.volumeUp, for: .milliseconds(1930)))
        // One more press shows that nothing else was counted before it.
        try remote.press(.volumeDown)
        try place.awaitCount(count - 1)
        let undone = try place.run("undo")
        #expect(undone.output == "\(count)\n")
        // Undo takes back a hold as one change.
        #expect(try place.run("undo").output == "0\n")
    }

    @Test func `Both keys 50 ms apart reset, and leave no trace in the totals`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        // The longest valid chord time: a slow kernel takes time between two presses.
        let terminal = try place.open(["--always", "--chord", "390ms"])
        defer { terminal.close() }
        try terminal.waitForText("exclusive")
        try remote.press(.volumeUp, then: .milliseconds(500))
        try terminal.waitForText("Count 1")
        try remote.down(.volumeUp, then: .milliseconds(50))
        try remote.down(.volumeDown, then: .quick)
        try remote.up(.volumeUp, then: .quick)
        try remote.up(.volumeDown, then: .apart)
        try terminal.waitForText("reset at")
        try terminal.waitForText("Count 0")
        let rows = try place.exported()
        #expect(rows.filter { $0.contains(",in,") || $0.contains(",out,") }.count == 1)
        #expect(rows.filter { $0.contains(",reset,") }.count == 1)
        // `u` restores the number.
        try terminal.type("u")
        try terminal.waitForText("Count 1")
    }

    @Test func `Press and release in one frame count once`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try remote.emit(
            frame: remote.frame(.volumeUp, .down) + remote.frame(.volumeUp, .up))
        try listener.expectLines(["1"])
        pause(.apart)
        try remote.press(.volumeDown)
        try listener.expectLines(["0"])
    }

    @Test func `listen prints 0 where more left a room than entered it, and says how many more`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        try place.run("location", "set", "default", "--capacity", "9")
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        for left in 1...2 {
            try remote.press(.volumeDown, then: .apart)
            try listener.expectLines(["0"])
            try listener.waitForErrorLine("default: \(left) more left than entered")
        }
        try remote.press(.volumeUp, then: .apart)
        try listener.expectLines(["0"])
        try listener.waitForErrorLine("default: 1 more left than entered")
        for count in 0...1 {
            try remote.press(.volumeUp, then: .apart)
            try listener.expectLines(["\(count)"])
        }
        #expect(try place.show() == "1")
    }

    @Test func `The kernel's own autorepeat changes nothing`() throws {
        var description = VirtualRemote.Description(name: "Repeating Remote")
        description.repeats = true
        let remote = try VirtualRemote(description)
        defer { remote.destroy() }
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Repeating Remote: exclusive")
        // 1 at once, then at 400, 550, 700 and 850 ms.
        let count = try place.awaitCount(in: remote.hold(.volumeUp, for: .milliseconds(925)))
        try remote.press(.volumeDown)
        try place.awaitCount(count - 1)
    }

    @Test func `Up and down in quick succession are two counts, for their debounces are apart`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let place = try Workplace()
        let listener = try place.listen(["--chord", "5ms"])
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try remote.press(.volumeUp, for: .milliseconds(20), then: .milliseconds(20))
        try remote.press(.volumeDown, for: .milliseconds(20), then: .milliseconds(20))
        try listener.expectLines(["1", "0"])
    }

    @Test func `Two remotes do not disturb each other`() throws {
        let first = try VirtualRemote(.init(name: "First Remote"))
        defer { first.destroy() }
        let second = try VirtualRemote(.init(name: "Second Remote"))
        defer { second.destroy() }
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
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
