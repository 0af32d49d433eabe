import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyServer

@Suite struct NodeDirectoryTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path(of: "input")
    }

    private func makeDirectory() { mkdir(path, 0o755) }

    private func isReadable(_ directory: NodeDirectory) throws -> Bool {
        var set = PollSet()
        let place = set.add(directory.number)
        try set.wait(until: MonotonicTime(microseconds: 0))
        return set.result(at: place).isReadable
    }

    @Test func itListsTheNodesByTheirNumbers() throws {
        for name in [
            "event10", "event2", "event0", "mouse0", "js0", "event", "eventx", "by-id/event7", "xevent1",
        ] {
            try folder.write("input/\(name)")
        }
        let directory = try NodeDirectory(path)
        #expect(directory.exists)
        #expect(directory.nodes() == ["event0", "event2", "event10"])
        #expect(directory.path(of: "event2") == "\(path)/event2")
    }

    @Test func itTellsWhatComesChangesAndGoes() throws {
        makeDirectory()
        let directory = try NodeDirectory(path)
        #expect(try directory.changes().isEmpty)
        try folder.write("input/event3")
        #expect(try isReadable(directory))
        #expect(try directory.changes() == [.node("event3")])
        // udev gives permission a moment after the node has appeared.
        chmod(folder.path(of: "input/event3"), 0o660)
        #expect(try directory.changes() == [.node("event3")])
        unlink(folder.path(of: "input/event3"))
        #expect(try directory.changes() == [.node("event3")])
        #expect(try !isReadable(directory))
    }

    /// All changes are returned by one call, and the present state can be read.
    @Test func allThatHappenedIsTakenAtOnceAndEachNodeToldOnce() throws {
        makeDirectory()
        let directory = try NodeDirectory(path)
        for _ in 1...3 {
            for name in ["event3", "event1"] {
                try folder.write("input/\(name)")
                unlink(folder.path(of: "input/\(name)"))
            }
        }
        #expect(try directory.changes() == [.node("event3"), .node("event1")])
        #expect(try directory.changes().isEmpty)
    }

    @Test func nodesMayBeMovedToo() throws {
        makeDirectory()
        try folder.write("input/.event5-new")
        let directory = try NodeDirectory(path)
        rename(folder.path(of: "input/.event5-new"), folder.path(of: "input/event5"))
        #expect(try directory.changes() == [.node("event5")])
        rename(folder.path(of: "input/event5"), folder.path(of: "input/gone"))
        #expect(try directory.changes() == [.node("event5")])
    }

    @Test func otherFilesAreNoNews() throws {
        makeDirectory()
        let directory = try NodeDirectory(path)
        try folder.write("input/mouse1")
        chmod(path, 0o750)
        #expect(try directory.changes().isEmpty)
        #expect(directory.exists)
    }

    @Test func aMissingDirectoryIsWaitedFor() throws {
        let directory = try NodeDirectory(path)
        #expect(!directory.exists)
        #expect(directory.nodes().isEmpty)
        try folder.write("another")
        #expect(try directory.changes().isEmpty)
        #expect(!directory.exists)
        try folder.write("input/event0")
        #expect(try isReadable(directory))
        #expect(try directory.changes() == [.lookAgain])
        #expect(directory.exists)
        #expect(directory.nodes() == ["event0"])
        try folder.write("input/event1")
        #expect(try directory.changes() == [.node("event1")])
    }

    @Test func aDirectoryThatGoesIsWaitedForAgain() throws {
        makeDirectory()
        let directory = try NodeDirectory(path)
        rmdir(path)
        #expect(try directory.changes() == [.lookAgain])
        #expect(!directory.exists)
        makeDirectory()
        #expect(try directory.changes() == [.lookAgain])
        #expect(directory.exists)
        rename(path, folder.path(of: "elsewhere"))
        #expect(try directory.changes() == [.lookAgain])
        #expect(!directory.exists)
    }

    /// Removed and made again before the watch was read: the watch must move to the new directory.
    @Test func aDirectoryThatWasReplacedIsTheNewOne() throws {
        makeDirectory()
        let directory = try NodeDirectory(path)
        rmdir(path)
        makeDirectory()
        #expect(try directory.changes() == [.lookAgain])
        #expect(directory.exists)
        try folder.write("input/event9")
        #expect(try directory.changes() == [.node("event9")])
    }

    @Test func withoutPermissionItSaysSo() throws {
        makeDirectory()
        chmod(path, 0)
        let path = path
        let denied = SystemCallError(call: "inotify_add_watch", subject: path, errno: EACCES)
        chmod(folder.path, 0o755)
        let failure = try onItsOwnThread(asUser: geteuid() == 0 ? 65534 : nil) {
            do throws(SystemCallError) {
                _ = try NodeDirectory(path)
                return nil as SystemCallError?
            } catch { return error }
        }
        #expect(failure == denied)
        chmod(path, 0o755)
    }
}
