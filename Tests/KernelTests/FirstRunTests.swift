import Glibc
import TestSupport
import Testing

/// The screen of a user who may not read the device: it names the cause and the remedy, and notices when it is
/// remedied.
@Suite(.serialized) struct FirstRunTests {
    private let place: Workplace
    private let remote: VirtualRemote
    private let folder: ScratchFolder
    /// The path of the key service's socket.
    private var socket: String { folder.path(of: "run/keys.socket") }

    init() throws {
        place = try Workplace()
        chmod(place.directory, 0o777)
        folder = try ScratchFolder()
        chmod(folder.path, 0o755)
        remote = try VirtualRemote(.init(name: "Locked Remote"))
        chmod(remote.node, 0o600)
    }

    /// The screens of user nobody, who has no session at a seat, once they show why no keys are received.
    private func opened(_ service: KeyService? = nil, saying cause: String) throws -> TerminalSession {
        let terminal = try TerminalSession(
            asNobody + [BuiltProducts.counter, "--always", "--device", remote.node],
            columns: 100,
            environment: place.environment.merging([
                "COUNTER_DATA_DIR": place.directory + "/nobody",
                "COUNTER_KEYS_SOCKET": service?.path ?? socket,
                "XDG_SESSION_ID": nil,
            ]) { $1 })
        // A service that has ended meanwhile, because it had no clients, is started again, as systemd does.
        try eventually(cause, last: { (try? terminal.screen().description) ?? "" }) {
            try service?.startWhereEnded()
            return try terminal.screen().contains("the volume keys cannot be read: \(cause)")
        }
        return terminal
    }

    /// Makes the program believe that the machine has systemd.
    private func withSystemd(unit: Bool, _ body: () throws -> Void) throws {
        let directory = "/run/systemd/system"
        _ = try ChildProcess.run(["mkdir", "-p", directory])
        defer { _ = try? ChildProcess.run(["rm", "-r", directory]) }
        if unit { _ = try ChildProcess.run(["cp", "systemd/counter-keys.socket", directory]) }
        try body()
    }

    private func expectHeard(_ terminal: TerminalSession, afterCount count: Int) throws {
        try terminal.waitForScreen("the remote, exclusive") {
            $0.contains("Locked Remote exclusive") && !$0.contains("not heard")
        }
        try remote.press(.volumeUp)
        try terminal.waitForText("Count \(count + 1)")
    }

    @Test func `Without systemd the node's owner is the remedy, and a change of it is noticed`() throws {
        defer { remote.destroy() }
        let terminal = try opened(saying: "no permission to read them")
        defer { terminal.close() }
        try terminal.waitForText("owning the device's node mends that; D shows how; + and - count meanwhile")
        try terminal.type("+")
        try terminal.waitForText("Count 1")
        try terminal.type("d")
        try terminal.waitForText("chown nobody \(remote.node)")
        try terminal.type("d")
        #expect(try ChildProcess.run(["chown", "nobody", remote.node]).status == .exited(0))
        try expectHeard(terminal, afterCount: 1)
    }

    @Test func `In a checkout on a machine with systemd the remedy is make install`() throws {
        defer { remote.destroy() }
        try withSystemd(unit: false) {
            let terminal = try opened(saying: "no permission to read them")
            defer { terminal.close() }
            try terminal.waitForText("make install mends that; D shows how; + and - count meanwhile")
            try terminal.type("d")
            try terminal.waitForScreen("the commands") {
                $0.contains("make -C /") && $0.contains("usermod -aG counter nobody")
            }
        }
    }

    @Test func `An installed service that does not run is to be started, and is noticed when it comes`()
        throws
    {
        defer { remote.destroy() }
        try withSystemd(unit: true) {
            let terminal = try opened(saying: "no permission to read them")
            defer { terminal.close() }
            try terminal.waitForText("starting the key service mends that")
            try terminal.type("d")
            try terminal.waitForText("systemctl enable --now counter-keys.socket")
            try terminal.type("d+")
            try terminal.waitForText("Count 1")

            try Self.bringNobodyToFront()
            defer { unlink("/run/systemd/seats/seat0") }
            let service = try KeyService()
            mkdir(folder.path(of: "run"), 0o755)
            #expect(symlink(service.path, socket) == 0)
            try expectHeard(terminal, afterCount: 1)
            service.end()
        }
    }

    @Test func `Who is not at the machine is to join the group`() throws {
        defer { remote.destroy() }
        let service = try KeyService()
        let terminal = try opened(service, saying: "you are not at this machine")
        defer { terminal.close() }
        try terminal.waitForText("joining group counter mends that; D shows how")
        try terminal.type("d")
        try terminal.waitForScreen("the command, and what comes then") {
            $0.contains("usermod -aG counter nobody") && $0.contains("log in again")
        }
    }

    /// Replaces the file as logind does, atomically.
    private static func bringNobodyToFront() throws {
        _ = try ChildProcess.run(["mkdir", "-p", "/run/systemd/seats"])
        let folder = try ScratchFolder()
        try folder.write("seat0", "IS_SEAT0=1\nACTIVE=c9\nACTIVE_UID=65534\nSESSIONS=c9\nUIDS=65534\n")
        #expect(
            try ChildProcess.run(["mv", folder.path(of: "seat0"), "/run/systemd/.seat0"]).status == .exited(0)
        )
        #expect(rename("/run/systemd/.seat0", "/run/systemd/seats/seat0") == 0)
    }
}
