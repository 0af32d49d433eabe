import Foundation
import TestSupport
import Testing

/// `counter sync` between the journals of two homes, with pipes in place of SSH.
@Suite struct SyncTests {
    private let door: Workplace, office: Workplace

    init() throws {
        door = try Workplace.deaf()
        office = try Workplace.deaf()
    }

    /// The options with which the office reaches the door.
    private func toDoor(_ options: String...) -> [String] {
        let program = "COUNTER_DATA_DIR='\(door.directory)' HOME='\(door.directory)' '\(BuiltProducts.counter)' sync --serve"
        return ["sync"] + options + ["--command", program, "door"]
    }

    private func join() throws {
        try door.run("location", "share", "default")
        let joined = try office.run(toDoor("--join", "all"))
        #expect(joined.status == .exited(0), "\(joined.errors)")
        #expect(joined.output.contains("joined 'default'"))
    }

    @Test func `Two journals count one place: each at once, and what comes later too`() throws {
        try door.run("add", "2")
        try join()
        #expect(try office.show() == "2")
        let live = try ChildProcess(
            [BuiltProducts.counter] + toDoor(), environment: office.environment)
        try office.run("add", "3")
        try eventually("the door to show it") { try door.show() == "5" }
        try door.run("sub")
        try eventually("the office to show it") { try office.show() == "4" }
        try eventually("it to be told") { try office.run("sync", "--status").output.contains("door: synced ") }
        try live.signal(SIGTERM)
        #expect(try live.wait() == .exited(0))
        try office.run("reset")
        #expect(try office.run("sync", "--status").output.contains("row not sent, "))
        #expect(try office.run(toDoor("--once")).status == .exited(0))
        #expect(try door.show() == "0")
        for place in [door, office] { #expect(try place.verify().status == .exited(0)) }
    }

    @Test func `What stands in the way is said with its remedy`() throws {
        expectFailure(
            try office.run(toDoor("--once")), 69, "nothing is shared", "counter location share NAME")
        try door.run("location", "share", "default")
        expectFailure(
            try office.run(toDoor("--once")), 69, "shares 'default'", "counter sync --join all PEER")
        expectFailure(
            try office.run(toDoor("--join", "cellar")), 69, "shares no location 'cellar'", "It shares 'default'")
        expectFailure(
            try office.run("sync", "--once", "--command", "no-such-program", "door"), 69, "there is no counter",
            "Install it there")
        expectFailure(
            try office.run("sync", "--once", "--command", "echo Welcome", "door"), 76,
            "does not speak counter sync", ".bashrc")
        expectFailure(try office.run("sync", "--viewer", "--once", "door"), 77, "viewer")
        expectFailure(try office.run("sync"), 64, "the other machine is missing")
        #expect(try office.run("sync", "--status").output.contains("door: door not reached yet"))
    }
}
