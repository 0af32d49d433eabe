import CounterModel
import Linux
import TestSupport
import Testing

@testable import Adapters

/// What real counters send, and what of it counts.
@Suite struct AdapterTests {
    private static let path = #filePath.replacing("AdapterTests.swift", with: "cases.txt")
    private static let cases = (try? TextFile(path: path, name: path).text).map(AdapterCase.all) ?? []

    @Test(arguments: cases)
    func `Each message counts what the case says, and the stored readings alone make the same streams`(
        example: AdapterCase
    ) throws {
        var trial = try example.trial()
        // As after a kill at any message: streams that know the stored readings only.
        var stored: [Identifier: Stream] = [:]
        for step in example.steps {
            let outcomes = trial.take(step)
            let comment = Comment(rawValue: "cases.txt:\(step.line): \(outcomes.map(\.words))")
            #expect(outcomes.map(\.short).joined(separator: ", ") == step.expected, comment)
            for outcome in outcomes {
                guard let reading = outcome.reading, outcome.verdict?.isStored == true else { continue }
                var stream = try #require(stored[reading.stream] ?? trial.streams[reading.stream]?.emptied)
                let read = Reading(
                    stream: reading.stream, receivedAt: reading.receivedAt, text: reading.text)
                #expect(read == reading, comment)
                stream.follow(reading)
                stored[reading.stream] = stream
            }
            for (id, stream) in trial.streams {
                #expect((stored[id] ?? stream.emptied).knowsTheSame(as: stream), comment)
            }
        }
    }

    /// All but events without a key, of which two look alike.
    @Test(arguments: cases) func `Messages that come twice count once`(example: AdapterCase) throws {
        var once = try example.trial(), twice = try example.trial()
        for step in example.steps {
            let first = once.take(step)
            guard first.allSatisfy({ $0.verdict?.rule != .e3 }) else { return }
            let all = twice.take(step) + twice.take(step)
            let comment = Comment(rawValue: "cases.txt:\(step.line): \(all.map(\.words))")
            #expect(total(all) == total(first), comment)
        }
    }

    @Test(arguments: [
        (
            "tasmota", "tele/door/SENSOR", [100, 105, 110, 115, 120].map { "{\"COUNTER\":{\"C1\":\($0)}}" },
            20
        ),
        (
            "zigbee-door", "zigbee2mqtt/door",
            ["true", "false", "false", "true"].map { "{\"contact\":\($0)}" }, 1
        ),
        ("zigbee-button", "zigbee2mqtt/door", Array(repeating: "{\"action\":\"on\"}", count: 900), 900),
    ])
    func `What a broker delivers again counts once`(
        name: String, topic: String, payloads: [String], count: Int
    ) throws {
        let file = try AdapterFile.builtIn(zone: "UTC")
        var trial = AdapterTrial(file, file.adapters.filter { $0.name == name })
        func deliver(again: Bool, session: Int = 0) -> InOut {
            let outcomes = payloads.enumerated().flatMap { index, payload in
                var message = Message(
                    Array(payload.utf8), at: topic, receivedAt: Timestamp(seconds: 1_795_348_800 + 60 * index)
                )
                message.packet = session << 16 | index + 1
                message.isRedelivered = again
                return trial.take(message)
            }
            return total(outcomes)
        }
        #expect(deliver(again: false).in == count)
        #expect(deliver(again: true) == .zero)
        guard name == "zigbee-button" else { return }
        // The ids of another session are others.
        #expect(deliver(again: true, session: 7).in == count)
    }

    private func total(_ outcomes: [ReadingOutcome]) -> InOut {
        outcomes.compactMap(\.verdict).reduce(.zero) { $0.with($1.numbers, +) }
    }

    @Test func `Each rule and each adapter has a case`() throws {
        #expect(!Self.cases.isEmpty)
        let rules = Self.cases.flatMap(\.steps).flatMap {
            $0.expected.split { " ,".contains($0) }.map(String.init)
        }
        for rule in Verdict.Rule.allCases { #expect(rules.contains(rule.text), "\(rule)") }
        for adapter in try AdapterFile.builtIn(zone: "UTC").adapters {
            #expect(Self.cases.contains { $0.adapter == adapter.name }, "\(adapter.name)")
        }
    }

    // MARK: Random runs

    @Test(arguments: CounterRun.Kind.allCases)
    func `A total counts never more than the truth, and seldom less`(kind: CounterRun.Kind) {
        var (counted, truth) = (0, 0)
        for seed in 0..<UInt64(Volume.of(sample: 1000, full: 20_000)) {
            var run = CounterRun(kind, seed: seed)
            run.go()
            #expect(run.counted <= run.truth, "seed \(seed): \(run.story)")
            counted += run.counted
            truth += run.truth
        }
        #expect(counted * 100 >= truth * kind.leastShare, "\(counted) of \(truth)")
    }

    // MARK: Files

    /// An adapter without a mode, and one that could be as it is.
    private static let adapter = "[adapter.x]\ntopic = 't/{device}'\n"
    private static let event = adapter + "mode = 'event'\nin = 'a'\n"

    @Test(
        arguments: [
            ("\(adapter)in = 'a'", "adapter x: mode: is missing"),
            ("[adapter.x]\ntopik = 't'", "Did you mean 'topic'?"),
            ("\(adapter)mode = 'cumulativ'\nin = 'a'", "Did you mean 'cumulative'?"),
            ("\(adapter)mode = 'event'", "in: is missing, or out"),
            ("[adapter.x]\ntopic = 't'\nmode = 'event'\nin = 'a'", "device: is missing"),
            ("[adapter.x]\nmode = 'event'\nin = 'a'", "topic: is missing, or path"),
            ("[adapter.x]\ntopic = '#/a'\nmode = 'event'\nin = 'a'", "is no topic"),
            ("[adapter.x]\npath = 'a'\nmode = 'event'\nin = 'a'", "is no path"),
            ("\(adapter)mode = 'event'\nin = 'a[b'", "'a[b' is no path"),
            ("\(event)wrap = 5", "wrap: is only for mode cumulative"),
            ("\(event)edge = 5", "edge: is a table"),
            ("\(adapter)mode = 'interval'\nin = 'a'", "needs range = [from, to], or period"),
            ("\(adapter)mode = 'cumulative'\nin = 'a'\nresets = ['boot']", "\"boot\" needs uptime"),
            ("\(adapter)mode = 'cumulative'\nin = 'a'\nresets = ['24:00']", "no time of day"),
            ("\(event)zone = 'Mars/One'", "zone:"),
            ("\(event)time-format = '%Y %j'", "time-format: has"),
            ("\(event)every = '5'", "every: is a duration"),
            ("\(adapter)mode = 'event'\nin = { add = 0 }", "add: is a"),
            ("\(event)since = '2026'", "since: does not belong here"),
            ("\(event)[device.'y:1']", "there is no adapter 'y'"),
            ("\(event)[device.'x:1']\ntopic = 'b'", "does not belong here"),
            ("\(event)[device.'x:1']\nin = 5", "device x:1: in: is a text"),
            ("adapter = [", "file:1:"), ("adapter = 5", "file: adapter: is a table"),
            ("\(event)[[device]]\nlocation = 'b'", "file: device: is a table"),
            ("\(event)[device]\n'x:1' = 'b'", "file: device: x:1: is a table"),
            ("[adapter.'a b']", "file: adapter a b: a name has letters"),
        ] as [(String, String)])
    func `A mistake in a file is told with its place and its remedy`(text: String, told: String) throws {
        let error = #expect(throws: ProgramError.self) {
            _ = try AdapterFile(text, name: "file", zone: "UTC")
        }
        #expect(error?.notice.contains(told) == true, "\(error?.notice ?? "")")
        #expect(error?.status == 65)
    }

    @Test(arguments: [
        ("x:hall", "Hall"), ("x:hall/1", "Hall"), ("x:hall/north", "North"), ("x:hall/north/1", "North"),
        ("x:hall/north/1/2", "North"), ("x:hall/north/9", "Nine"), ("x:hal", nil), ("x:hal/1", nil),
        // Without channels each is a device.
        ("y:hall", "Yard"), ("y:hall/north", nil),
    ])
    func `What is set of a device is of all its channels, where its id has a slash too`(
        stream: String, location: String?
    ) throws {
        let text = """
            [adapter.x]
            topic = 't/{device...}'
            channel = 'c'
            mode = 'event'
            in = 'a'
            [adapter.y]
            topic = 't/{device...}'
            mode = 'event'
            in = 'a'
            [device]
            'x:hall' = { location = 'Hall' }
            'x:hall/north' = { location = 'North' }
            'x:hall/north/9' = { location = 'Nine' }
            'y:hall' = { location = 'Yard' }
            """
        let file = try AdapterFile(text, name: "file", zone: "UTC")
        #expect(file.location(of: Identifier(stream)) == location)
        #expect(file.adapter(of: Identifier(stream))?.location == location)
    }

    @Test func `A topic that begins with a slash is subscribed to, and a path is not`() throws {
        let text = "[adapter.x]\ntopic = '/a/{device}'\npath = '/v1/devices/x'\nmode = 'event'\nin = 'a'"
        let file = try AdapterFile(text, name: "file", zone: "UTC")
        #expect(file.adaptersInUse.flatMap(\.filters) == ["/a/+"])
    }

    @Test(arguments: [
        ("2026-08-12T11:50:47-5:00", "2026-08-12T16:50:47.000000Z"),
        ("2026-02-12T15:15:46.014773143Z", "2026-02-12T15:15:46.014773Z"),
        ("1759713693673", "2025-10-06T01:21:33.673000Z"), ("1678882095.02", "2023-03-15T12:08:15.020000Z"),
        ("2026-07-01T12:00:00", "2026-07-01T10:00:00.000000Z"),
        // The hour that comes twice: nearer to the arrival, 2026-10-25T01:40Z.
        ("2026-10-25T02:30:00", "2026-10-25T01:30:00.000000Z"),
        ("2026-03-29T02:30:00", "2026-03-29T01:00:00.000000Z"),
        ("20260503112756", nil), ("yesterday", nil), ("-5", nil), ("2026-13-01T00:00:00Z", nil),
    ])
    func `Times are read as devices write them`(text: String, moment: String?) throws {
        let years = Timestamp(seconds: 1_577_836_800)..<Timestamp(seconds: 1_893_456_000)
        let arrival = Timestamp(seconds: 1_792_892_400)
        let zone = try ZoneOffsets(of: "Europe/Zurich", in: years)
        var time = ReadingTime()
        #expect(time.moment(text, in: zone, near: arrival)?.iso8601 == moment)
        time.format = "%Y%m%d%H%M%S"
        let formatted = time.moment("20260503112756", in: zone, near: arrival)
        #expect(formatted?.iso8601 == "2026-05-03T09:27:56.000000Z")
        #expect(time.moment("2026050311275", in: zone, near: arrival) == nil)
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a>&b;</a>", "<a><b></a>", "<a/><b/>", "",
        String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100),
    ])
    func `XML with a DTD, too deep, or broken is refused`(text: String) {
        #expect(throws: LineError.self) { _ = try PayloadFormat.xml.read(Array(text.utf8)) }
    }

    @Test func `Payloads that are almost right are no crash`() throws {
        let payloads = Self.cases.flatMap(\.steps).map { Array($0.message.utf8) }
        var random = SplitMix64(seed: 1)
        for adapter in try AdapterFile.builtIn(zone: "UTC").adapters {
            var trial = AdapterTrial(try AdapterFile.builtIn(zone: "UTC"), [adapter])
            for _ in 0..<Volume.of(sample: 300, full: 35_000) {
                let bytes = Mutation.of(
                    random.element(of: payloads), splicing: random.element(of: payloads), &random)
                for message in trial.messages(in: bytes, start: Timestamp(seconds: 0)) {
                    _ = trial.take(message)
                }
            }
        }
    }
}

extension Stream {
    /// One that knows nothing yet.
    fileprivate var emptied: Stream { Stream(rules) }

    /// Whether both know the same.
    fileprivate func knowsTheSame(as other: Stream) -> Bool {
        events == other.events && intervals == other.intervals && total == other.total
            && packets == other.packets
    }
}
