import CLinux
import Descriptors
import Glibc
import Testing

@Suite struct DirectoryWatchTests {
    private static let entries = UInt32(IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVE | IN_DELETE_SELF)

    @Test func itTellsWhatHappenedInOrder() throws {
        let folder = try ScratchFolder()
        let watch = try DirectoryWatch(folder.path, mask: Self.entries)
        #expect(watch.drain().isEmpty)
        folder.make("event0")
        chmod(folder.path + "/event0", 0o600)
        rename(folder.path + "/event0", folder.path + "/event1")
        unlink(folder.path + "/event1")
        let events = watch.drain()
        #expect(events.map(\.name) == ["event0", "event0", "event0", "event1", "event1"])
        let masks = [IN_CREATE, IN_ATTRIB, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE].map { UInt32($0) }
        #expect(events.map(\.mask) == masks)
        #expect(watch.drain().isEmpty)
    }

    /// More than one read(2) takes, with names of every length.
    @Test func itReadsEverythingThatIsThere() throws {
        let folder = try ScratchFolder()
        let watch = try DirectoryWatch(folder.path, mask: UInt32(IN_CREATE))
        let names = (0..<400).map { "\($0)" + String(repeating: "x", count: $0 % 200) }
        names.forEach { folder.make($0) }
        #expect(watch.drain().map(\.name) == names)
    }

    @Test func itIsReadableWhenSomethingHappened() throws {
        let folder = try ScratchFolder()
        let watch = try DirectoryWatch(folder.path, mask: Self.entries)
        func isReadable() throws -> Bool {
            var set = PollSet()
            let place = set.add(watch.number)
            try set.wait(until: MonotonicTime(microseconds: 0))
            return set.result(at: place).isReadable
        }
        #expect(try !isReadable())
        folder.make("a")
        #expect(try isReadable())
        _ = watch.drain()
        #expect(try !isReadable())
    }

    @Test func theEndOfTheDirectoryHasNoName() throws {
        let folder = try ScratchFolder()
        let watch = try DirectoryWatch(folder.path, mask: Self.entries)
        rmdir(folder.path)
        let events = watch.drain()
        #expect(events.map(\.name) == ["", ""])
        #expect(events.map(\.mask) == [UInt32(IN_DELETE_SELF), UInt32(IN_IGNORED)])
    }

    @Test func aMissingDirectoryIsNamedInTheError() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/none"
        let expected = SystemCallError(call: "inotify_add_watch", subject: path, errno: ENOENT)
        #expect(throws: expected) { _ = try DirectoryWatch(path, mask: Self.entries) }
        #expect("\(expected)" == "\(path): inotify_add_watch: No such file or directory")
    }
}

/// A new empty directory that goes, with its files, when this object does.
final class ScratchFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/counter-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemCallError(call: "mkdtemp") }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    func make(_ name: String) { close(open("\(path)/\(name)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)) }

    deinit {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                unlink("\(path)/" + withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) })
            }
            closedir(directory)
        }
        rmdir(path)
    }
}
