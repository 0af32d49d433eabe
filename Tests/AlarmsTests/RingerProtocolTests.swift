import Alarms
import Linux
import Testing

/// The lines between `counter` and `counter-ringer`.
@Suite struct RingerProtocolTests {
    @Test(arguments: [
        (RingerRequest.speak("\u{301}1"), "speak \u{301}1"),
        (RingerRequest.hello(version: 1), "counter-ringer 1"), (.sound(.up, volume: 80), "sound up 80"),
        (.sound(.error, volume: 0), "sound error 0"), (.speak("Front door 12"), "speak Front door 12"),
        (.timers, "timers"),
    ])
    func `Each request is one line, and read back the same`(request: RingerRequest, line: String) {
        #expect(request.line == line)
        #expect(RingerRequest(line: line) == request)
    }

    @Test(arguments: [
        (RingerReply.hello(version: 2), "counter-ringer 2"), (.taken, "taken"),
        (.missing(.sound, reason: "Connection refused"), "missing sound Connection refused"),
        (.missing(.speech, reason: "\u{301}"), "missing speech \u{301}"),
    ])
    func `Each reply is one line, and read back the same`(reply: RingerReply, line: String) {
        #expect(reply.line == line)
        #expect(RingerReply(line: line) == reply)
    }

    @Test(arguments: [
        "", "sound", "sound up", "sound up 101", "sound up -1", "sound up 1e1", "sound bang 50", "speak",
        "speak ",
        "timers 1", "counter-ringer", "counter-ringer x", "Timers",
    ])
    func `What is no request is refused`(line: String) { #expect(RingerRequest(line: line) == nil) }

    @Test(arguments: ["", "taken 1", "missing", "missing light x", "counter-ringer one"])
    func `What is no reply is refused`(line: String) { #expect(RingerReply(line: line) == nil) }

    @Test func `A text cannot bring a second line, and no line is too long`() throws {
        let line = RingerRequest.speak("a\nsound up 80\r\u{1B}[2J" + String(repeating: "ü", count: 2000)).line
        #expect(!line.contains { $0.isNewline } && !line.unicodeScalars.contains("\u{1B}"))
        #expect(line.utf8.count <= RingerProtocol.maxLine)
        var splitter = LineSplitter(longest: RingerProtocol.maxLine)
        #expect(try splitter.add((line + "\n").utf8) == [line])
    }

    @Test func `Lines are the same in pieces of any size`() throws {
        let bytes = Array("sound up 80\r\nspeak zwölf\n\ntimers\nspe".utf8)
        for size in 1...bytes.count {
            var splitter = LineSplitter(longest: RingerProtocol.maxLine)
            let lines = try stride(from: 0, to: bytes.count, by: size).flatMap {
                try splitter.add(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(lines == ["sound up 80", "speak zwölf", "", "timers"])
        }
    }

    @Test func `A stream without line ends, or without sense, is refused`() {
        #expect(throws: LineSplitter.Invalid.self) {
            var splitter = LineSplitter(longest: RingerProtocol.maxLine)
            _ = try splitter.add(repeatElement(UInt8(ascii: "x"), count: RingerProtocol.maxLine + 1))
        }
        #expect(throws: LineSplitter.Invalid.self) {
            var splitter = LineSplitter(longest: RingerProtocol.maxLine)
            _ = try splitter.add([0xFF, 0x0A])
        }
    }
}
