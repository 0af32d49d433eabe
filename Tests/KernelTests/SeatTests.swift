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

    @Test func `While another session is in the foreground nothing is intercepted and nothing counts`() throws
    {
        let terminal = try terminal()
        // With the reason: `shared` alone may stand for a moment because the program was late.
        try terminal.type("d")
        for (number, front) in Front.allCases.enumerated() {
            try bringToFront(front)
            try terminal.waitForText(
                front == .anotherUser ? "another user is at the machine" : "in the background")
            try rig.press(isHeard: true)

            try login.bringToFront(ada)
            try rig.expectExclusive(on: terminal, count: number + 1)
        }
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

    @Test func `counter listen holds beside one's own sessions, and only counts beside another user's`()
        throws
    {
        try login.bringToFront(ada, session: "c3")
        let listener = try rig.listen()
        try login.bringToFront(bob, session: "c3")
        try listener.waitForErrorLine("Virtual Remote: shared: another user is at the machine")
        try rig.press(isHeard: true)
        try listener.expectLines(["1"])
        try login.bringToFront(ada)
        try listener.waitForErrorLine("Virtual Remote: exclusive")
    }

    /// A session over SSH has no seat, and a program in it is not notified of changes at a seat. An empty seat or a greeter is
    /// no other user, and a device belongs to its seat.
    @Test
    func `Over SSH the keys of another user at the device's seat are shared, all others are intercepted`()
        throws
    {
        try login.write("sessions/c2", "UID=\(ada)\nUSER=ada\nACTIVE=1\nSTATE=active\nREMOTE=1\n")
        try login.write("sessions/c1", "UID=114\nCLASS=greeter\nSEAT=seat0\n")
        try SeatAssignment.makeDatabase()
        try login.bringToFront(114, session: "c1")
        let terminal = try terminal(["--always"])
        try login.bringToFront(bob)
        try terminal.waitForText("Virtual Remote shared")
        try terminal.type("d")
        try terminal.waitForText("another user is at the machine")
        try rig.expectShared(on: terminal, count: 1)

        try login.bringToFront(ada)
        try rig.expectExclusive(on: terminal, count: 2)
        try login.bringToFront(bob)
        try terminal.waitForText("Virtual Remote shared")
        try login.bringToFront(nil)
        try terminal.waitForText("Virtual Remote exclusive")

        try login.bringToFront(bob, at: "seat-garage")
        let assignment = try SeatAssignment(rig.device.node, to: "seat-garage")
        try terminal.waitForText("Virtual Remote shared")
        try login.bringToFront(nil, at: "seat-garage")
        try terminal.waitForText("Virtual Remote exclusive")
        withExtendedLifetime(assignment) {}
    }
}

/// logind's files of seats, sessions and users. The guest has no logind: a test writes them as logind does. They are
/// removed with this object.
final class LoginFiles {
    private static let directory = "/run/systemd"
    private static let kinds = ["seats", "sessions", "users"]
    private var written: Set<String> = []

    init() throws {
        for kind in Self.kinds { _ = try ChildProcess.run(["mkdir", "-p", "\(Self.directory)/\(kind)"]) }
    }

    deinit { for name in written { unlink("\(Self.directory)/\(name)") } }

    func write(_ name: String, _ text: String) throws {
        try replace(name, in: Self.directory, by: "# This is private data. Do not parse.\n\(text)")
        written.insert(name)
    }

    /// Brings a session to the foreground of a seat.
    func bringToFront(_ user: UInt32?, session: String = "c2", at seat: String = "seat0") throws {
        let active = user.map { "ACTIVE=\(session)\nACTIVE_UID=\($0)\n" } ?? ""
        try write(
            "seats/\(seat)",
            "IS_SEAT0=1\nCAN_MULTI_SESSION=1\nCAN_TTY=1\n\(active)SESSIONS=c2 c3\nUIDS=1000 1001\n")
    }
}

/// A node's seat in udev's database; the entry is removed with this object.
final class SeatAssignment {
    private let path: String

    init(_ node: String, to seat: String) throws {
        var status = stat()
        #expect(stat(node, &status) == 0)
        let minor = status.st_rdev & 0xFF | status.st_rdev >> 12 & 0xFFF00
        let name = "c13:\(minor)"
        path = "\(Self.database)/\(name)"
        try Self.makeDatabase()
        try replace(name, in: Self.database, by: "E:ID_INPUT=1\nE:ID_SEAT=\(seat)\n")
    }

    deinit { unlink(path) }

    /// Makes the directory of udev's database, which the guest lacks. A program that starts without it does not watch
    /// it later.
    static func makeDatabase() throws { _ = try ChildProcess.run(["mkdir", "-p", database]) }

    private static let database = "/run/udev/data"
}

/// Replaces a file below a directory atomically, as logind and udev do.
private func replace(_ name: String, in directory: String, by text: String) throws {
    let folder = try ScratchFolder()
    try folder.write("new", text)
    let hidden = "\(directory)/.new"
    #expect(try ChildProcess.run(["mv", folder.path(of: "new"), hidden]).status == .exited(0))
    #expect(rename(hidden, "\(directory)/\(name)") == 0)
}
