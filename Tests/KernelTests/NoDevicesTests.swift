import Glibc
import TestSupport
import Testing

/// Without `/dev/input` the program says so, counts by hand, and notices when the directory appears.
@Suite(.serialized) struct NoDevicesTests {
    @Test func `A directory that appears later is noticed`() throws {
        let remote = try VirtualRemote(.init(name: "Waiting Remote"))
        defer { remote.destroy() }
        var node = stat()
        stat(remote.node, &node)
        let place = try Workplace()
        // A /dev of its own that has only what the program needs to start its key server.
        let setUp = "mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3 && exec \"$@\""
        let terminal = try TerminalSession(
            ["unshare", "-m", "sh", "-c", setUp, "sh", BuiltProducts.counter, "--always"],
            environment: place.environment)
        defer { terminal.close() }
        try terminal.waitForText("no input devices found")
        try terminal.type("+")
        try terminal.waitForText("Count 1")

        let program = try terminal.process
        let appear = "mkdir /dev/input && mknod \(remote.node) c \(node.st_rdev >> 8) \(node.st_rdev & 0xFF)"
        let entered = try ChildProcess.run([
            "nsenter", "-m", "-r", "-t", "\(program.pid)", "sh", "-c", appear,
        ])
        #expect(entered.status == .exited(0), "\(entered.errors)")
        try terminal.waitForScreen("the remote, exclusive") {
            $0.contains("Waiting Remote") && $0.contains("exclusive")
        }
        try remote.press(.volumeUp)
        try terminal.waitForText("Count 2")
    }
}
