import Foundation
import Glibc
import TestSupport
import Testing

/// A terminal that takes no output, because its other end is not read, stops in the middle of a frame.
@Suite struct StalledTests {
    private static let columns: UInt16 = 80
    private static let frames = 100

    private let place: Workplace
    private let program: ChildProcess

    init() throws {
        place = try Workplace.deaf(environment: ["TERM": "tmux-256color", "TMUX": nil, "LANG": "C.UTF-8"])
        program = try place.start([], streams: .terminal(columns: Self.columns, rows: 24))
        try program.skipOutput(past: "[D Details]")
    }

    /// Has the program draw far more than a terminal buffers (Ctrl-L), and count after that.
    private func stall(counting count: Int) throws {
        let journal = try OutsideJournal(place)
        let before = try journal.number("SELECT count(*) FROM journal")
        // Keys that come at once are drawn once, so each waits for the one before.
        for number in 1...Self.frames {
            try program.write("\u{C}+-")
            try eventually("\(number) frames", poll: .milliseconds(1)) {
                try journal.number("SELECT count(*) FROM journal") == before + 2 * number
            }
        }
        try program.write(String(repeating: "+", count: count))
        try eventually("\(count) in the journal") { try place.show() == "\(count)" }
    }

    @Test func `Counting goes on, and what is shown when it reads again is the latest`() throws {
        defer { program.end() }
        try stall(counting: 3)
        try program.write("r+")
        try eventually("a reset and one more") { try place.exported().count == 2 * Self.frames + 5 }
        #expect(try place.show() == "1")

        let output = try program.skipOutput(past: "]2;Count 1\u{7}")
        // Most of the frames were never computed.
        #expect(output.ranges(of: "\u{1B}[H\u{1B}[J").count < Self.frames / 2)
        try place.write("seen", output)
        let terminal = try TerminalSession(
            ["sh", "-c", "cat \"$1\"; exec cat", "sh", place.directory + "/seen"])
        try program.write("\u{C}")
        try place.write("anew", try program.skipOutput(past: "Quit]"))
        let fresh = try TerminalSession(
            ["sh", "-c", "cat \"$1\"; exec cat", "sh", place.directory + "/anew"])
        try fresh.waitForText("Quit]")
        try eventually("both to show the same", last: { (try? terminal.screen().description) ?? "" }) {
            try terminal.screen() == fresh.screen()
        }
    }

    @Test func `A signal ends it at once, and its key server with it`() throws {
        defer { program.end() }
        try stall(counting: 3)
        let keyServer = try #require(program.process.children.first)
        try program.signal(SIGTERM)
        // Nothing is read until it has ended.
        try eventually("both to end", timeout: .seconds(10)) {
            !program.process.isAlive && !keyServer.isAlive
        }
        #expect(try program.wait() == .exited(0))
        #expect(try place.show() == "3")
    }

    /// As by `su`: the program may not open the terminal by its name. A descriptor that blocks would stop counting.
    @Test(.enabled(if: geteuid() == 0))
    func `On another user's terminal it writes without waiting too`() throws {
        program.end()
        let other = try ChildProcess(
            asNobody + [BuiltProducts.counter], environment: place.letNobodyIn(),
            streams: .terminal(columns: Self.columns, rows: 24))
        try other.skipOutput(past: "[D Details]")
        let folder = "/proc/\(other.process.pid)"
        let own = try #require(
            (3..<64).first {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\($0)")
                return target == "/dev/tty"
            })
        let flags = try String(contentsOfFile: "\(folder)/fdinfo/\(own)", encoding: .utf8).split(
            separator: "\n"
        )
        .first { $0.hasPrefix("flags:") }?.split(separator: "\t").last.flatMap { Int32($0, radix: 8) }
        #expect(try #require(flags) & O_NONBLOCK != 0)
    }
}
