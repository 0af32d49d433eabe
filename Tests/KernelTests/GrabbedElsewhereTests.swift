import Glibc
import TestSupport
import Testing

/// A device that another program has grabbed, such as keyd or `evtest --grab`: no keys arrive from it until that grab
/// ends.
@Suite(.serialized) final class GrabbedElsewhereTests {
    private let rig: Rig<VirtualRemote>
    private let listener: ChildProcess
    private var owner: SecondReader?

    init() throws {
        rig = try Rig()
        owner = try SecondReader(node: rig.device.node)
        try owner?.grab()
        listener = try rig.listen(until: "shared: \(rig.device.node) is grabbed by another program")
    }

    @Test func `It is intercepted as soon as the other program has ended, whatever was pressed meanwhile`()
        throws
    {
        // Others that open and close it are no reason to stay awake.
        let server = try keyServer(of: listener.process)
        for _ in 1...20 { _ = try SecondReader(node: rig.device.node) }
        try eventually("the server to sleep") {
            let before = server.contextSwitches
            pause(.milliseconds(500))
            return server.contextSwitches == before
        }
        // A key that goes down and up while it is grabbed is not waited for.
        try rig.device.down(.volumeUp)
        // Any close makes the program try again. While the node is grabbed, the program does not receive the release
        // that follows.
        _ = try SecondReader(node: rig.device.node)
        try listener.waitForErrorLine("it is intercepted once all are up")
        try rig.device.up(.volumeUp)
        owner = nil
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try rig.device.press(.volumeDown)
        try listener.expectLines(["-1"])
        try rig.reader.expect([])
    }

    @Test func `A key that is down then is waited for`() throws {
        try rig.device.down(.volumeUp)
        owner = nil
        try listener.waitForErrorLine("it is intercepted once all are up")
        try rig.device.up(.volumeUp)
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try rig.device.press(.volumeDown)
        try listener.expectLines(["-1"])
    }

    @Test func `Released without a close, it is intercepted after the first press that is received`() throws {
        try owner?.ungrab()
        try rig.device.press(.volumeUp)
        try listener.waitForErrorLine("Virtual Remote: exclusive")
        try rig.device.press(.volumeDown)
        try listener.expectLines(["1", "0"])
        try rig.reader.expect(.presses(of: .volumeUp))
    }

    @Test func `Unplugged while it is waited for, it is gone for good`() throws {
        rig.device.destroy()
        try listener.waitForErrorLine(": gone")
        let another = try VirtualRemote(.init(name: "Another Remote"))
        defer { another.destroy() }
        let next = try listener.readErrorLine()
        #expect(next?.hasPrefix("counter: Another Remote: exclusive") == true, "\(next ?? "nothing")")
    }
}
