import CLinux
import Glibc
import Linux
import Testing

/// Lines for the writing end of a pipe.
@Suite final class LineQueueTests {
    private let reader: Descriptor
    private let writer: Descriptor

    init() throws {
        var ends: [CInt] = [-1, -1]
        try systemCall("pipe") { pipe(&ends) }
        reader = Descriptor(owning: ends[0])
        writer = Descriptor(owning: ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    /// Everything that can be read now.
    private func read() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = Glibc.read(reader.number, &buffer, buffer.count), count > 0 {
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes all that waits, and reads it meanwhile. Returns what was read, and how many lines were reported as left
    /// out.
    private func drain(_ queue: inout LineQueue) throws -> (text: String, leftOut: Int) {
        var result = (text: "", leftOut: 0)
        while !queue.isEmpty {
            result.leftOut += try queue.write(to: writer.number)
            result.text += read()
        }
        return result
    }

    @Test func `Lines come in their order`() throws {
        var queue = LineQueue()
        #expect(queue.isEmpty)
        queue.append("1")
        queue.append("2")
        #expect(try drain(&queue) == ("1\n2\n", 0))
        queue.append("3")
        #expect(try drain(&queue) == ("3\n", 0))
    }

    @Test func `A pipe that is full keeps the rest waiting`() throws {
        var queue = LineQueue()
        let lines = (0..<20_000).map(String.init)
        for line in lines { queue.append(line) }
        // A pipe takes 64 KiB; each piece is 4.
        for _ in 0..<32 { #expect(try queue.write(to: writer.number) == 0) }
        #expect(!queue.isEmpty)
        let first = read()
        let rest = try drain(&queue)
        #expect(first + rest.text == lines.map { $0 + "\n" }.joined())
        #expect(rest.leftOut == 0)
    }

    @Test func `What does not fit is left out, but for the newest line`() throws {
        var queue = LineQueue(limit: 10)
        for line in 1...9 { queue.append("\(line)") }
        #expect(try drain(&queue) == ("1\n2\n3\n4\n5\n9\n", 3))
        // It takes lines again.
        for line in 10...12 { queue.append("\(line)") }
        #expect(try drain(&queue) == ("10\n11\n12\n", 0))
    }

    @Test func `One line too many is late, and nothing is left out`() throws {
        var queue = LineQueue(limit: 4)
        for line in 1...3 { queue.append("\(line)") }
        #expect(try drain(&queue) == ("1\n2\n3\n", 0))
    }

    @Test func `A line that is longer than the limit is written all the same`() throws {
        var queue = LineQueue(limit: 4)
        queue.append("123456789")
        #expect(try drain(&queue) == ("123456789\n", 0))
    }

    @Test func `Lines that come while the gap is told come behind it`() throws {
        var queue = LineQueue(limit: 4)
        for line in 1...5 { queue.append("\(line)") }
        #expect(try queue.write(to: writer.number) == 2)
        queue.append("6")
        #expect(try drain(&queue) == ("1\n2\n5\n6\n", 0))
    }
}
