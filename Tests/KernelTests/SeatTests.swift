import Glibc
import TestSupport
import Testing

/// What logind tells of the machine's seat. The guest has no logind: its files are written here as it writes them.
@Suite(.serialized) struct SeatTests {
    private let place: Workplace
    private let user: UInt32 = 1000

    init() throws {
        place = try Workplace(environment: ["XDG_SESSION_ID": "c2", "TMUX": nil, "STY": nil])
        for folder in ["sessions", "seats", "users"] { _ = try run("mkdir", "-p", "/run/systemd/\(folder)") }
        try write(
            "sessions/c2", "UID=\(user)\nUSER=ada\nACTIVE=1\nSTATE=active\nREMOTE=0\nSEAT=seat0\nVTNR=2\n")
        try activate(session: "c2", of: user)
    }

    private func run(_ command: String...) throws -> ChildProcess.Outcome { try ChildProcess.run(command) }

    /// Replaces a file, as logind does: nobody reads half of one.
    private func write(_ name: String, _ text: String) throws {
        try place.write("new", Array("# This is private data. Do not parse.\n\(text)".utf8))
        #expect(try run("mv", place.directory + "/new", "/run/systemd/.new").status == .exited(0))
        #expect(rename("/run/systemd/.new", "/run/systemd/\(name)") == 0)
    }

    private func activate(session: String?, of user: UInt32) throws {
        let active = session.map { "ACTIVE=\($0)\nACTIVE_UID=\(user)\n" } ?? ""
        try write(
            "seats/seat0",
            "IS_SEAT0=1\nCAN_MULTI_SESSION=1\nCAN_TTY=1\n\(active)SESSIONS=c2 c3\nUIDS=1000 1001\n")
    }

    private func terminal(_ options: [String] = []) throws -> TerminalSession {
        // A terminal that reports its focus, as far as the program knows.
        try place.open(options, environment: ["TERM": "xterm-256color"])
    }

    @Test(arguments: [("c3", 1000), ("c3", 1001), (nil, 0)] as [(String?, UInt32)])
    func `While another session is in front nothing is held and nothing counts`(
        session: String?, user: UInt32
    ) throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let terminal = try terminal()
        defer { terminal.close() }
        try terminal.waitForText("Virtual Remote held")

        try activate(session: session, of: user)
        try terminal.waitForText("Virtual Remote shared")
        try remote.press(.volumeUp, then: .apart)
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])

        try activate(session: "c2", of: self.user)
        try terminal.waitForText("Virtual Remote held")
        try remote.press(.volumeUp)
        try terminal.waitForText("Count 1")
        try reader.expect([])
    }

    @Test func `Terminals of the user's service manager follow the session that is the user's display`()
        throws
    {
        try write("users/\(getuid())", "NAME=ada\nSTATE=active\nDISPLAY=c2\n")
        defer { unlink("/run/systemd/users/\(getuid())") }
        place.environment["XDG_SESSION_ID"] = .some(nil)
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        try activate(session: "c3", of: 1001)
        let terminal = try terminal()
        defer { terminal.close() }
        try terminal.waitForText("Virtual Remote shared")
        try activate(session: "c2", of: user)
        try terminal.waitForText("Virtual Remote held")
    }

    @Test func `With --always it holds beside one's own sessions, and only counts beside another user's`()
        throws
    {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        try activate(session: "c3", of: user)
        let terminal = try terminal(["--always"])
        defer { terminal.close() }
        try terminal.waitForText("Virtual Remote held")

        try activate(session: "c3", of: 1001)
        try terminal.waitForText("Virtual Remote shared")
        try terminal.type("d")
        try terminal.waitForText("another user is at the machine")
        try remote.press(.volumeUp)
        try terminal.waitForText("Count 1")
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
    }

    @Test func `So does counter listen`() throws {
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let reader = try SecondReader(node: remote.node)
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Virtual Remote: held")
        try activate(session: "c3", of: 1001)
        try listener.waitForErrorLine("Virtual Remote: shared: another user is at the machine")
        try remote.press(.volumeUp, then: .apart)
        try listener.expectLines(["1"])
        try reader.expect([.down(.volumeUp), .up(.volumeUp)])
        try activate(session: "c2", of: user)
        try listener.waitForErrorLine("Virtual Remote: held")
    }

    @Test func `A session without a seat, as over SSH, or none at all is nothing to wait for`() throws {
        try write("sessions/c2", "UID=\(user)\nUSER=ada\nACTIVE=1\nSTATE=active\nREMOTE=1\n")
        try activate(session: "c3", of: 1001)
        let remote = try VirtualRemote()
        defer { remote.destroy() }
        let terminal = try terminal()
        defer { terminal.close() }
        try terminal.waitForText("Virtual Remote held")
    }
}
