import Glibc
import TestSupport
import Testing

/// logind's files of seats, sessions and users. The guest has no logind: a test writes them as logind does. They are
/// removed with this object.
final class LoginFiles {
    private static let directory = "/run/systemd"
    private static let kinds = ["seats", "sessions", "users"]
    private let folder: ScratchFolder
    private var written: Set<String> = []

    init() throws {
        folder = try ScratchFolder()
        for kind in Self.kinds { _ = try ChildProcess.run(["mkdir", "-p", "\(Self.directory)/\(kind)"]) }
    }

    deinit { for name in written { unlink("\(Self.directory)/\(name)") } }

    /// Replaces a file atomically, as logind does.
    func write(_ name: String, _ text: String) throws {
        try folder.write("new", "# This is private data. Do not parse.\n\(text)")
        let hidden = "\(Self.directory)/.new"
        #expect(try ChildProcess.run(["mv", folder.path(of: "new"), hidden]).status == .exited(0))
        #expect(rename(hidden, "\(Self.directory)/\(name)") == 0)
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
        path = "/run/udev/data/c13:\(minor)"
        let folder = try ScratchFolder()
        try folder.write("new", "E:ID_INPUT=1\nE:ID_SEAT=\(seat)\n")
        try Self.makeDatabase()
        _ = try ChildProcess.run(["mv", folder.path(of: "new"), "/run/udev/data/.new"])
        #expect(rename("/run/udev/data/.new", path) == 0)
    }

    deinit { unlink(path) }

    /// Makes the directory of udev's database, which the guest lacks. A program that starts without it does not watch
    /// it later.
    static func makeDatabase() throws { _ = try ChildProcess.run(["mkdir", "-p", "/run/udev/data"]) }
}
