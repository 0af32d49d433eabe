import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyServer

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

    @Test func afterACloseOneTriesSevenTimesAndRests() throws {
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

    @Test func anotherCloseIsTimeAtOnceAndBeginsAnew() throws {
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
