import Glibc
import TestSupport
import Testing

/// Devices come and go while the program runs.
@Suite(.serialized) struct HotplugTests {
    @Test func `Two remotes do not disturb each other, and unplugging one in the middle of a hold ends it`()
        throws
    {
        let remote = try VirtualRemote()
        let other = try VirtualRemote(.init(name: "Other Remote"))
        let place = try Workplace()
        let listener = try place.listen()
        try listener.waitForErrorLines(["Other Remote: exclusive", "Virtual Remote: exclusive"])
        // Volume up on one device and volume down on another at once are no chord.
        try remote.down(.volumeUp)
        try other.down(.volumeDown)
        try remote.up(.volumeUp)
        try other.up(.volumeDown, then: .apart)
        try listener.expectLines(["1", "0"])
        let start = ContinuousClock.now
        try remote.down(.volumeUp, then: .milliseconds(475))
        remote.destroy()
        let most = (ContinuousClock.now - start).counts
        try listener.waitForErrorLine("gone")
        let count = try place.awaitCount(in: 2...most)
        // Long enough for several repeats, if the hold had gone on.
        pause(.milliseconds(600))
        try other.press(.volumeDown)
        try place.awaitCount(count - 1)
    }

    @Test func `A directory that appears later is noticed`() throws {
        let rig = try Rig("Waiting Remote")
        var node = stat()
        stat(rig.device.node, &node)
        // A /dev of its own that has only what the program needs to start its key server.
        let setUp = "mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3 && exec \"$@\""
        let terminal = try rig.place.open(by: ["unshare", "-m", "sh", "-c", setUp, "sh"])
        try terminal.waitForText("no input devices found")
        try terminal.type("+")
        try terminal.waitForText("Count 1")

        let program = try terminal.process
        let appear =
            "mkdir /dev/input && mknod \(rig.device.node) c \(node.st_rdev >> 8) \(node.st_rdev & 0xFF)"
        let entered = try ChildProcess.run([
            "nsenter", "-m", "-r", "-t", "\(program.pid)", "sh", "-c", appear,
        ])
        #expect(entered.status == .exited(0), "\(entered.errors)")
        try terminal.waitForScreen("the device, exclusive") {
            $0.contains("Waiting Remote") && $0.contains("exclusive")
        }
        try rig.device.press(.volumeUp)
        try terminal.waitForText("Count 2")
    }
}

/// The `counter-keys` that a program has started.
func keyServer(of program: RunningProcess) throws -> RunningProcess {
    try eventualValue("a key server") { program.children.first { $0.name == "counter-keys" } }
}
