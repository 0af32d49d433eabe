import Glibc
import TestSupport
import Testing

/// The screen of a user who may not read the device: it names the cause and the remedy, and notices when it is
/// remedied.
@Suite(.serialized) struct FirstRunTests {
    private let rig: Rig<VirtualRemote>
    private let folder: ScratchFolder

    init() throws {
        rig = try Rig("Locked Remote")
        chmod(rig.device.node, 0o600)
        chmod(rig.place.directory, 0o777)
        folder = try ScratchFolder()
        chmod(folder.path, 0o755)
    }

    /// The screens of user nobody, who has no session at a seat, once they show why no keys are received.
    private func opened() throws -> TerminalSession {
        let terminal = try rig.place.open(
            ["--always", "--device", rig.device.node], by: asNobody, columns: 100,
            environment: [
                "COUNTER_DATA_DIR": rig.place.directory + "/nobody",
                "COUNTER_KEYS_SOCKET": folder.path(of: "run/keys.socket"), "XDG_SESSION_ID": nil,
            ])
        try terminal.waitForText("the volume keys cannot be read: no permission to read them")
        return terminal
    }

    private func expectHeard(_ terminal: TerminalSession, afterCount count: Int) throws {
        try terminal.waitForScreen("the remote, exclusive") {
            $0.contains("Locked Remote exclusive") && !$0.contains("not heard")
        }
        try rig.device.press(.volumeUp)
        try terminal.waitForText("Count \(count + 1)")
    }

    @Test func `Without systemd the node's owner is the remedy, and a change of it is noticed`() throws {
        let terminal = try opened()
        try terminal.waitForText("owning the device's node mends that; D shows how; + and - count meanwhile")
        try terminal.type("+")
        try terminal.waitForText("Count 1")
        try terminal.type("d")
        try terminal.waitForText("chown nobody \(rig.device.node)")
        try terminal.type("d")
        chown(rig.device.node, 65534, 65534)
        try expectHeard(terminal, afterCount: 1)
    }

    @Test func `An installed service that does not run is to be started, and is noticed when it comes`()
        throws
    {
        // The program believes that the machine has systemd.
        let directory = "/run/systemd/system"
        _ = try ChildProcess.run(["mkdir", "-p", directory])
        defer { _ = try? ChildProcess.run(["rm", "-r", directory]) }
        _ = try ChildProcess.run(["cp", "systemd/counter-keys.socket", directory])
        let terminal = try opened()
        try terminal.waitForText("starting the key service mends that")
        try terminal.type("d")
        try terminal.waitForText("systemctl enable --now counter-keys.socket")
        try terminal.type("d+")
        try terminal.waitForText("Count 1")

        let login = try LoginFiles()
        try login.bringToFront(65534, session: "c9")
        let service = try KeyService()
        mkdir(folder.path(of: "run"), 0o755)
        #expect(symlink(service.path, folder.path(of: "run/keys.socket")) == 0)
        try expectHeard(terminal, afterCount: 1)
        service.end()
    }
}
