import Glibc
import Linux
import TestSupport
import Testing

@testable import VolumeInput

@Suite struct ArrivalWatchTests {
    private let folder: ScratchFolder
    private let watch: ArrivalWatch

    init() throws {
        folder = try ScratchFolder()
        watch = try #require(ArrivalWatch(folder.path(of: "run/counter/keys.socket")))
    }

    @Test func itTellsOnceOfASocketWhoseDirectoriesCameOneByOne() throws {
        #expect(!watch.hasCome())
        mkdir(folder.path(of: "run"), 0o755)
        #expect(try isReadable())
        #expect(!watch.hasCome())
        mkdir(folder.path(of: "run/counter"), 0o755)
        #expect(try isReadable())
        #expect(!watch.hasCome())
        try folder.write("run/counter/keys.socket")
        #expect(try isReadable())
        #expect(watch.hasCome())
        #expect(try !isReadable())
        #expect(!watch.hasCome())
    }

    @Test func itFindsASocketThatCameWithItsDirectories() throws {
        try folder.write("run/counter/keys.socket")
        #expect(watch.hasCome())
    }

    @Test func whatElseHappensThereIsNotTheSocket() throws {
        try folder.write("run/counter/keys.socket")
        #expect(watch.hasCome())
        try folder.write("run/counter/input7")
        unlink(folder.path(of: "run/counter/input7"))
        #expect(!watch.hasCome())
        chmod(folder.path(of: "run/counter/keys.socket"), 0o666)
        #expect(watch.hasCome(), "it may be open to others than before")
    }

    @Test func aSocketThatGoesIsWaitedForAgain() throws {
        try folder.write("run/counter/keys.socket")
        #expect(watch.hasCome())
        unlink(folder.path(of: "run/counter/keys.socket"))
        rmdir(folder.path(of: "run/counter"))
        #expect(!watch.hasCome())
        try folder.write("run/counter/keys.socket")
        #expect(watch.hasCome())
    }

    private func isReadable() throws -> Bool {
        var polled = PollSet()
        let place = polled.add(watch.number)
        try polled.wait(until: MonotonicTime(microseconds: 0))
        return !polled.result(at: place).isEmpty
    }
}
