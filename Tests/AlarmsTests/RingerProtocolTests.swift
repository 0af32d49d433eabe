import Alarms
import CounterModel
import Linux
import Sound
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

/// What is heard of which change.
@Suite struct CountCuesTests {
    private static func receipt(
        _ content: RowContent, _ outcome: Outcome = .accepted(Position(1)), level: Int,
        at location: Identifier = "here"
    ) -> Receipt {
        Receipt(
            Request(locationId: location, timestamp: Timestamp(microseconds: 0), content), outcome,
            level: level)
    }

    private static func count(_ type: EntryType, level: Int, at location: Identifier = "here") -> Receipt {
        receipt(.entry(Entry(type, deviceId: "keys", source: .hardware)), level: level, at: location)
    }

    private static let reset = receipt(.reset(Reset(to: 0)), level: 0)
    private static let undo = receipt(
        .voidByWork,
        .undone(Position(1), Undone(.entries(type: .in, count: 1), at: Timestamp(microseconds: 0))),
        level: 3)
    private static let refused = receipt(.reset(Reset(to: 0)), .refused(.overflow), level: 3)

    private static func requests(
        _ receipts: [Receipt], sounds: Set<Cue> = Set(Cue.allCases), spoken: CountCues.Spoken = .never
    ) -> [RingerRequest] {
        var cues = CountCues()
        (cues.sounds, cues.spoken) = (sounds, spoken)
        return cues.requests(for: receipts) { $0 == "here" ? nil : "Front \($0)" }
    }

    @Test func `Nothing is heard by default`() {
        #expect(!CountCues().isOn)
        #expect(CountCues().requests(for: [Self.count(.in, level: 1), Self.reset]) { _ in nil }.isEmpty)
    }

    @Test func `Each kind of change has its sound, once where it comes several times in a row`() {
        #expect(
            Self.requests([
                Self.count(.in, level: 1), Self.count(.in, level: 2), Self.count(.out, level: 1), Self.reset,
                Self.undo,
                Self.refused,
            ]) == [Cue.up, .down, .reset, .error].map { .sound($0, volume: 80) })
    }

    @Test func `Only the chosen cues sound`() {
        #expect(
            Self.requests([Self.count(.in, level: 1), Self.reset], sounds: [.reset]) == [
                .sound(.reset, volume: 80)
            ])
    }

    @Test(arguments: [
        (CountCues.Spoken.never, nil, nil), (.each, "11", "20"), (.tenth, nil, "20"), (.key, nil, nil),
    ])
    func `The last count is spoken`(spoken: CountCues.Spoken, eleven: String?, twenty: String?) {
        let levels = [Self.count(.in, level: 9), Self.count(.in, level: 11)]
        #expect(Self.requests(levels, sounds: [], spoken: spoken) == (eleven.map { [.speak($0)] } ?? []))
        #expect(
            Self.requests([Self.count(.out, level: 20)], sounds: [], spoken: spoken)
                == (twenty.map { [.speak($0)] } ?? []))
    }

    @Test func `A tenth that passed in the same moment is spoken, and a refusal is not`() {
        let levels = [Self.count(.in, level: 10), Self.count(.in, level: 11)]
        #expect(Self.requests(levels, sounds: [], spoken: .tenth) == [.speak("10")])
        #expect(Self.requests([Self.refused], sounds: [], spoken: .each).isEmpty)
    }

    @Test func `Another location is named`() {
        #expect(
            Self.requests([Self.count(.in, level: 4, at: "door")], sounds: [], spoken: .each)
                == [.speak("Front door 4")])
    }
}
