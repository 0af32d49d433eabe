import CLinux
import Glibc
import Linux
import TestSupport
import Testing

@Suite struct DirectoryWatchTests {
    private static let entries = UInt32(IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVE | IN_DELETE_SELF)

    @Test func `It tells what happened in order`() throws {
        let folder = try ScratchFolder()
        let watch = try DirectoryWatch(folder.path, mask: Self.entries)
        #expect(watch.drain().isEmpty)
        mkdir(folder.path(of: "event0"), 0o755)
        chmod(folder.path(of: "event0"), 0o600)
        rename(folder.path(of: "event0"), folder.path(of: "event1"))
        rmdir(folder.path(of: "event1"))
        let events = watch.drain()
        #expect(events.map(\.name) == ["event0", "event0", "event0", "event1", "event1"])
        let masks = [IN_CREATE, IN_ATTRIB, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE].map { UInt32($0) }
        #expect(events.map { $0.mask & ~UInt32(IN_ISDIR) } == masks)
        #expect(watch.drain().isEmpty)
    }

    /// More events than one read(2) returns, with names of every length.
    @Test func `It reads everything that is there`() throws {
        let folder = try ScratchFolder()
        let watch = try DirectoryWatch(folder.path, mask: UInt32(IN_CREATE))
        let names = (0..<400).map { "\($0)" + String(repeating: "x", count: $0 % 200) }
        for name in names { try folder.write(name) }
        #expect(watch.drain().map(\.name) == names)
    }

    @Test func `The end of the directory has no name`() throws {
        let folder = try ScratchFolder()
        let watch = try DirectoryWatch(folder.path, mask: Self.entries)
        rmdir(folder.path)
        let events = watch.drain()
        #expect(events.map(\.name) == ["", ""])
        #expect(events.map(\.mask) == [UInt32(IN_DELETE_SELF), UInt32(IN_IGNORED)])
    }
}
