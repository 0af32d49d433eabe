import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import KeyServer

@Suite struct NodeDirectoryTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path(of: "input")
    }

    private func makeDirectory() { mkdir(path, 0o755) }

    @Test func `It lists the nodes by their numbers`() throws {
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

    @Test func `It tells what comes, changes and goes`() throws {
        makeDirectory()
        let directory = try NodeDirectory(path)
        #expect(try directory.changes().isEmpty)
        try folder.write("input/event3")
        #expect(try isReadable(directory.number))
        #expect(try directory.changes() == [.node("event3")])
        // udev gives permission a moment after the node has appeared.
        chmod(folder.path(of: "input/event3"), 0o660)
        #expect(try directory.changes() == [.node("event3")])
        unlink(folder.path(of: "input/event3"))
        #expect(try directory.changes() == [.node("event3")])
        #expect(try !isReadable(directory.number))
    }

    /// All changes are returned by one call, and the present state can be read.
    @Test func `All that happened is taken at once, and each node is told once`() throws {
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

    @Test func `Nodes may be moved too`() throws {
        makeDirectory()
        try folder.write("input/.event5-new")
        let directory = try NodeDirectory(path)
        rename(folder.path(of: "input/.event5-new"), folder.path(of: "input/event5"))
        #expect(try directory.changes() == [.node("event5")])
        rename(folder.path(of: "input/event5"), folder.path(of: "input/gone"))
        #expect(try directory.changes() == [.node("event5")])
    }

    @Test func `Other files are no news`() throws {
        makeDirectory()
        let directory = try NodeDirectory(path)
        try folder.write("input/mouse1")
        chmod(path, 0o750)
        #expect(try directory.changes().isEmpty)
        #expect(directory.exists)
    }

    @Test func `A missing directory is waited for`() throws {
        let directory = try NodeDirectory(path)
        #expect(!directory.exists)
        #expect(directory.nodes().isEmpty)
        try folder.write("another")
        #expect(try directory.changes().isEmpty)
        #expect(!directory.exists)
        try folder.write("input/event0")
        #expect(try isReadable(directory.number))
        #expect(try directory.changes() == [.lookAgain])
        #expect(directory.exists)
        #expect(directory.nodes() == ["event0"])
        try folder.write("input/event1")
        #expect(try directory.changes() == [.node("event1")])
    }

    @Test func `A directory that goes is waited for again`() throws {
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
    @Test func `A directory that was replaced is the new one`() throws {
        makeDirectory()
        let directory = try NodeDirectory(path)
        rmdir(path)
        makeDirectory()
        #expect(try directory.changes() == [.lookAgain])
        #expect(directory.exists)
        try folder.write("input/event9")
        #expect(try directory.changes() == [.node("event9")])
    }

    @Test func `Without permission, it says so`() throws {
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

@Suite struct NodeListingTests {
    /// (bitmap, code, in it): words of 64 bits, the highest first, leading zeros left out.
    @Test(
        arguments: [
            ("c000000000000 0", 114, true), ("c000000000000 0", 115, true), ("c000000000000 0", 113, false),
            ("c000000000000 0", 50, false), ("8000000000000 0", 115, true), ("8000000000000 0", 114, false),
            ("c000000000000", 50, true), ("c000000000000", 114, false), ("0", 0, false), ("1", 0, true),
            ("1 0 0 0 0", 0x100, true), ("1 0 0 0 0", 0, false), ("1 0 0 0 0", 0x2FF, false),
            ("8000000000000000 0 0 0 0 0 0 0 0 0 0 0", 0x2FF, true),
            ("", 114, false), ("rubbish ffffffffffffffff", 114, false), ("ffffffffffffffffff", 1, false),
            // A keyboard's, as the kernel wrote it.
            ("402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe", 115, true),
            ("402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe", 0, false),
        ] as [(String, UInt16, Bool)])
    func `The bitmap is words, the highest first`(bitmap: String, code: UInt16, isIn: Bool) {
        #expect(NodeListing.contains(code, in: bitmap) == isIn)
    }

    private func listing(_ files: [String: String], meanings: KeyMeanings = .volumeKeys) throws
        -> NodeListing?
    {
        let root = try ScratchFolder()
        for (name, text) in files { try root.write("event3/device/\(name)", text) }
        return NodeListing(node: "event3", meanings: meanings, root: root.path)
    }

    @Test func `A node that may not be opened is still known`() throws {
        let listing = try #require(
            try listing([
                "capabilities/key": "c000000000000 0\n", "name": "Käthe's Remote\n", "phys": "usb-1/input0\n",
                "uniq": "A1\n", "id/bustype": "0003\n", "id/vendor": "046d\n", "id/product": "c52b\n",
            ]))
        #expect(listing.countedKeys == CountedKeys([.up, .down]))
        #expect(
            listing.identity
                == DeviceIdentity(
                    bus: 3, vendor: 0x46D, product: 0xC52B, name: "Käthe's Remote", phys: "usb-1/input0",
                    uniq: "A1"))
    }

    @Test func `What is missing is empty`() throws {
        let listing = try #require(
            try listing(["capabilities/key": "0", "id/bustype": "rubbish", "phys": ""]))
        #expect(listing.countedKeys.isEmpty)
        #expect(listing.identity == DeviceIdentity(bus: 0, vendor: 0, product: 0, name: "event3"))
    }

    @Test func `Only the counted keys are asked for`() throws {
        let foot = KeyMeanings(up: [48], down: [], reset: [115])
        let listing = try #require(try listing(["capabilities/key": "c000000000000 0"], meanings: foot))
        #expect(listing.countedKeys == CountedKeys(.reset))
    }

    @Test func `Without sysfs nothing is known`() throws {
        #expect(try listing([:]) == nil)
        #expect(try listing(["name": "x"]) == nil)
    }
}

@Suite struct CloseWatchTests {
    private let folder: ScratchFolder
    private let watch: CloseWatch
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        try folder.write("node", "")
        path = folder.path(of: "node")
        watch = try CloseWatch(path)
    }

    private func openAndClose() { close(open(path, O_RDONLY | O_CLOEXEC)) }

    /// Whether it is time for another attempt, at the latest after `timeout`.
    private func isTime(within timeout: Duration = testTimeout) throws -> Bool {
        var polled = PollSet()
        let indices = watch.numbers.map { polled.add($0) }
        try polled.wait(until: .now + timeout)
        return indices.contains { !polled.result(at: $0).isEmpty }
    }

    @Test func `After a close, one tries seven times and rests`() throws {
        try watch.attemptFailed()
        #expect(try !isTime(within: .milliseconds(50)))
        openAndClose()
        let start = MonotonicTime.now
        var attempts = 0
        while attempts == 0 || watch.numbers.count > 1 {
            #expect(try isTime())
            try watch.attemptFailed()
            attempts += 1
        }
        #expect(attempts == 7)
        #expect(MonotonicTime.now - start >= .milliseconds(20 + 40 + 80 + 160 + 320 + 640))
        #expect(try !isTime(within: .milliseconds(50)))
    }

    @Test func `Another close is time at once and begins anew`() throws {
        openAndClose()
        for _ in 1...5 {
            #expect(try isTime())
            try watch.attemptFailed()
        }
        openAndClose()
        #expect(try isTime(within: .zero))
        try watch.attemptFailed()
        var attempts = 0
        while watch.numbers.count > 1 {
            #expect(try isTime())
            try watch.attemptFailed()
            attempts += 1
        }
        #expect(attempts == 6)
    }
}
