import TestSupport
import Testing

@testable import CounterModel

@Suite struct TimerRowTests {
    private static let id = UniqueId()
    private static let setup = TimerSetup(
        label: "Robins & Wrens = 100%, ä 👍", seconds: 300, mode: .vibration, endAction: .preserve,
        locations: .some(["north gate", "b&c=d"]), rounds: 3, pauseSeconds: 60, leadInSeconds: 3,
        announcesLastMinute: true, isUrgent: true, volume: 30)
    private static let events: [TimerEvent] = [
        .started(id, setup, presetId: UniqueId(), replacing: UniqueId()),
        .started(id, TimerSetup(seconds: 1)),
        .action(id, .pause), .action(id, .resume), .action(id, .stop), .action(id, .acknowledge),
        .action(id, .remove), .extended(id, seconds: 60),
        .clockSet, .presetSaved(id, setup), .presetHidden(id), .presetRestored(id),
    ]

    @Test(arguments: events)
    func readsWhatItWrites(event: TimerEvent) {
        for clock in [nil, ClockReference(bootId: "4b1d-11", offset: -5)] {
            let content = TimerRowContent(event, clock: clock)
            #expect(TimerRowContent(text: content.text) == content)
            #expect(!content.text.holdsControlCharacter)
        }
    }

    @Test(arguments: [
        "", "event=started", "event=paused&id=5", "event=nothing&id=3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        "event=paused&id", "event=%zz&id=1", "event=%ff",
        "event=started&id=3f2504e0-4f89-41d3-9a0c-0305e82c3301&seconds=0&mode=sound&end=discard",
        "event=started&id=3f2504e0-4f89-41d3-9a0c-0305e82c3301&seconds=360000&mode=sound&end=discard",
        "event=started&id=3f2504e0-4f89-41d3-9a0c-0305e82c3301&seconds=5&mode=loud&end=discard",
        "event=extended&id=3f2504e0-4f89-41d3-9a0c-0305e82c3301&seconds=-5",
    ])
    func refuses(text: String) {
        #expect(!TimerRowContent.admits(text))
    }

    @Test func refusesOrReadsWhatWasChangedAtRandom() {
        var random = SplitMix64(seed: 7)
        let texts = Self.events.map { Array(TimerRowContent($0, clock: nil).text.utf8) }
        for _ in 0..<Volume.of(sample: 2_000, full: 100_000) {
            var bytes = random.element(of: texts)
            for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
            guard let content = TimerRowContent(text: String(decoding: bytes, as: UTF8.self)) else {
                continue
            }
            #expect(TimerRowContent(text: content.text) == content)
        }
    }

    @Test func namesOfLaterVersionsAreLeftOut() {
        let text = TimerRowContent(.action(Self.id, .pause), clock: nil).text + "&colour=red"
        #expect(TimerRowContent(text: text)?.event == .action(Self.id, .pause))
    }

    @Test func idsAreRandomUUIDs() throws {
        let id = UniqueId()
        #expect(UniqueId(id.description) == id)
        #expect(id != UniqueId())
        #expect(Array(id.description)[14] == "4")
        #expect(UniqueId("3f2504e0-4f89-41d3-9a0c-0305e82c330") == nil)
    }
}
