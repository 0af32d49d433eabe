import Glibc
import TestSupport
import Testing

/// While the program intercepts a node, no other reader receives its keys; before and afterwards they do. The ways out are
/// tried where a key map has to be restored: in WayOutTests.
@Suite(.serialized) struct InterceptionTests {
    @Test func `A viewer intercepts no keys: other programs receive them, and they count nothing`() throws {
        let rig = try Rig("Front Door")
        try rig.place.run("add", "3")
        let terminal = try rig.place.open(["--viewer", "--always"])
        try terminal.waitForText("read only")
        try rig.press(isHeard: true)
        try terminal.type("q")
        #expect(try terminal.waitForExit() == .exited(0))
        #expect(try rig.place.show() == "3")
    }

    @Test func `Around a key that is down, a server that is killed and a stop each press is of one side`()
        throws
    {
        let rig = try Rig()
        // A key that is down when the program starts is waited for.
        try rig.device.down(.volumeUp)
        let listener = try rig.place.listen(until: "it is intercepted once all are up")
        try rig.device.up(.volumeUp)
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try rig.reader.expect(.presses(of: .volumeUp))
        try rig.device.press(.volumeDown, then: .apart)
        try listener.expectLines(["-1"])
        try rig.reader.expect([])

        // A key server that is killed comes back, and counting goes on.
        try keyServer(of: listener.process).signal(SIGKILL)
        try listener.waitForErrorLine("counter-keys was killed by signal 9")
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try rig.press(isHeard: false)
        try listener.expectLines(["0"])

        // A stopped program holds nothing, and counts nothing of that time.
        try listener.signal(SIGSTOP)
        // Not acknowledged: the first press is still intercepted, and makes the server release the node after 500 ms.
        try rig.device.press(.volumeUp)
        try rig.reader.awaitMarker(of: rig.device)
        try rig.press(isHeard: true)
        try listener.signal(SIGCONT)
        try listener.expectLines(["1"])
        try listener.waitForErrorLine("not intercepted for a moment")
        // If release and interception are read at once, neither is reported.
        try rig.reader.awaitSilence(of: rig.device)
        try rig.press(isHeard: false)
        try listener.expectLines(["2"])

        // Giving back with a key down leaves nobody with a key down.
        try rig.device.down(.volumeUp)
        try listener.expectLines(["3"])
        try listener.terminate()
        try rig.device.up(.volumeUp)
        // The reader does not receive the release of a press that it has not received.
        try rig.reader.expect([])
    }
}
