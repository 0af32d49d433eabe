import Alarms
import CounterModel
import Linux
import Sound
import Testing

/// What is heard of which change.
@Suite struct CountCuesTests {
    private static func receipt(
        _ content: RowContent, _ outcome: Outcome = .accepted(Position(1)), level: Int,
        at location: Identifier = "here"
    ) -> Receipt {
        Receipt(
            request: Request(locationId: location, timestamp: Timestamp(microseconds: 0), content),
            answer: Answer(outcome, level: level))
    }

    private static func count(_ type: EntryType, level: Int, at location: Identifier = "here") -> Receipt {
        receipt(.entry(Entry(type, deviceId: "keys", source: .hardware)), level: level, at: location)
    }

    private static let reset = receipt(.reset(Reset(to: 0)), level: 0)
    private static let undo = receipt(
        .voidByWork, .undone(Position(1), .entries(type: .in, count: 1)),
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
