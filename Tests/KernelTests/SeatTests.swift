import Glibc
import TestSupport
import Testing

/// Seats as logind records them, and a server that the program starts itself.
@Suite(.serialized) struct SeatTests {
    private let rig: Rig<VirtualRemote>
    private let login: LoginFiles
    /// Ada is the user who runs the tests.
    private let ada: UInt32 = getuid()
    private let bob: UInt32 = 1001

    init() throws {
        rig = try Rig(
            VirtualRemote(), in: Workplace(environment: ["XDG_SESSION_ID": "c2", "TMUX": nil, "STY": nil]))
        login = try LoginFiles()
        try login.write(
            "sessions/c2", "UID=\(ada)\nUSER=ada\nACTIVE=1\nSTATE=active\nREMOTE=0\nSEAT=seat0\nVTNR=2\n")
        try login.bringToFront(ada)
    }

    /// The screens in a terminal that, by its TERM, reports its focus.
    private func terminal(
        _ options: [String] = [], until state: String = "exclusive"
    ) throws -> TerminalSession {
        try rig.open(options, until: "Virtual Remote \(state)", environment: ["TERM": "xterm-256color"])
    }

    enum Front: CaseIterable {
        case oneself, anotherUser, nobody
    }

    private func bringToFront(_ front: Front) throws {
        switch front {
        case .oneself: try login.bringToFront(ada, session: "c3")
        case .anotherUser: try login.bringToFront(bob, session: "c3")
        case .nobody: try login.bringToFront(nil)
        }
    }

    @Test(arguments: Front.allCases)
    func `While another session is in the foreground nothing is intercepted and nothing counts`(front: Front)
        throws
    {
        let terminal = try terminal()
        // With the reason: `shared` alone may stand for a moment because the program was late.
        try terminal.type("d")

        try bringToFront(front)
        try terminal.waitForText(
            front == .anotherUser ? "another user is at the machine" : "in the background")
        try rig.device.press(.volumeUp, then: .apart)
        try rig.reader.expect([.down(.volumeUp), .up(.volumeUp)])

        try login.bringToFront(ada)
        try terminal.waitForText("Virtual Remote exclusive")
        try rig.device.press(.volumeUp)
        try terminal.waitForText("Count 1")
        try rig.reader.expect([])
    }

    @Test func `Terminals of the user's service manager follow the session that is the user's display`()
        throws
    {
        try login.write("users/\(ada)", "NAME=ada\nSTATE=active\nDISPLAY=c2\n")
        rig.place.environment["XDG_SESSION_ID"] = .some(nil)
        try login.bringToFront(bob, session: "c3")
        let terminal = try terminal(until: "shared")
        try login.bringToFront(ada)
        try terminal.waitForText("Virtual Remote exclusive")
    }

    @Test func `With --always it holds beside one's own sessions, and only counts beside another user's`()
        throws
    {
        try login.bringToFront(ada, session: "c3")
        let terminal = try terminal(["--always"])

        try login.bringToFront(bob, session: "c3")
        try terminal.waitForText("Virtual Remote shared")
        try terminal.type("d")
        try terminal.waitForText("another user is at the machine")
        try rig.device.press(.volumeUp)
        try terminal.waitForText("Count 1")
        try rig.reader.expect([.down(.volumeUp), .up(.volumeUp)])
    }

    @Test func `So does counter listen`() throws {
        let listener = try rig.listen()
        try login.bringToFront(bob, session: "c3")
        try listener.waitForErrorLine("Virtual Remote: shared: another user is at the machine")
        try rig.device.press(.volumeUp, then: .apart)
        try listener.expectLines(["1"])
        try rig.reader.expect([.down(.volumeUp), .up(.volumeUp)])
        try login.bringToFront(ada)
        try listener.waitForErrorLine("Virtual Remote: exclusive")
    }

    /// A session over SSH has no seat, and a program in it is not notified of changes at a seat.
    private func sessionWithoutSeat() throws {
        try login.write("sessions/c2", "UID=\(ada)\nUSER=ada\nACTIVE=1\nSTATE=active\nREMOTE=1\n")
    }

    @Test func `Over SSH the keys of another user at the machine are shared, and one's own are intercepted`()
        throws
    {
        try sessionWithoutSeat()
        try login.bringToFront(bob)
        let terminal = try terminal(["--always"], until: "shared")
        try terminal.type("d")
        try terminal.waitForText("another user is at the machine")
        try rig.device.press(.volumeUp, then: .apart)
        try terminal.waitForText("Count 1")
        try rig.reader.expect([.down(.volumeUp), .up(.volumeUp)])

        try login.bringToFront(ada)
        try terminal.waitForText("Virtual Remote exclusive")
        try rig.device.press(.volumeUp, then: .apart)
        try terminal.waitForText("Count 2")
        try rig.reader.expect([])
        try login.bringToFront(bob)
        try terminal.waitForText("Virtual Remote shared")
    }

    @Test(arguments: [false, true])
    func `An empty seat or a greeter is no other user`(isGreeter: Bool) throws {
        try sessionWithoutSeat()
        try login.write("sessions/c1", "UID=114\nCLASS=greeter\nSEAT=seat0\n")
        try login.bringToFront(isGreeter ? 114 : nil, session: "c1")
        _ = try terminal()
    }

    @Test func `A device belongs to its seat`() throws {
        try sessionWithoutSeat()
        try login.bringToFront(bob, at: "seat-garage")
        try SeatAssignment.makeDatabase()
        let terminal = try terminal()
        let assignment = try SeatAssignment(rig.device.node, to: "seat-garage")
        try terminal.waitForText("Virtual Remote shared")
        try login.bringToFront(nil, at: "seat-garage")
        try terminal.waitForText("Virtual Remote exclusive")
        withExtendedLifetime(assignment) {}
    }
}
