import CEvdev
import Glibc
import TestSupport
import Testing

/// Devices that send any events, in any order, and come and go meanwhile: the real programs keep running, and all
/// presses of another device count.
///
/// `COUNTER_FUZZ_SEED` repeats the frames of a run that failed.
@Suite(.serialized) struct FuzzTests {
    private static let frames = Volume.of(sample: 5_000, full: 100_000)
    private static let seed =
        getenv("COUNTER_FUZZ_SEED").flatMap { Int(String(cString: $0)) } ?? Int.random(in: 0...Int(Int32.max))
    /// How many random frames are sent between two presses that must count.
    private static let burst = 200

    @Test func `No press is lost beside thousands of frames that make no sense`() throws {
        let place = try Workplace()
        do {
            try run(place)
        } catch {
            let complaints = try? place.complaints().suffix(5)
            Issue.record("COUNTER_FUZZ_SEED=\(Self.seed): \(error)\n\(complaints ?? [])")
        }
    }

    private func run(_ place: Workplace) throws {
        try place.configure("[devices.\"\(Person.name)\"]\ndebounce = \"1ms\"\n")
        let person = try Person(place)
        defer { person.end() }
        var noise = try Noise(seed: UInt64(Self.seed))
        defer { noise.end() }
        let server = try keyServer(of: person.listener.process)
        while noise.frames < Self.frames {
            for _ in 1...Self.burst { try noise.sendFrame() }
            try person.press()
        }
        noise.end()
        try person.press()
        // A press whose release was read late was two for a moment, so `press` may not have awaited the last one.
        try eventually("all presses to be counted or heard") {
            try person.listen()
            return try Self.counted(place) + person.heard == person.presses
        }
        #expect(server.isAlive, "the key server was never replaced; COUNTER_FUZZ_SEED=\(Self.seed)")
        try person.listener.signal(SIGTERM)
        #expect(try person.listener.wait(timeout: .seconds(60)) == .exited(0))
        try person.listen()
        let complaints = try place.complaints()
        #expect(!complaints.contains { $0.contains("counter-keys") })
        // If another reader received a press, the program has reported why.
        #expect(person.heard == 0 || complaints.contains { $0.contains("counter was stopped or busy") })
        let verified = try place.verify()
        #expect(verified.status == .exited(0), "\(verified) COUNTER_FUZZ_SEED=\(Self.seed)")
        let counted = try Self.counted(place)
        #expect(counted + person.heard == person.presses, "COUNTER_FUZZ_SEED=\(Self.seed)")
    }

    private static func counted(_ place: Workplace) throws -> Int {
        try place.exported().count { $0.contains(",in,") && $0.contains(Person.id) }
    }
}

/// `counter listen`, and a remote that sends valid presses, all of which must count.
private final class Person {
    static let name = "Clean Remote"
    static let id = "Clean_Remote"

    let listener: ChildProcess
    private(set) var presses = 0
    /// How many presses another reader has received.
    private(set) var heard = 0
    /// The rows of the presses that it has counted. One whose release is read late counts as a hold too, and may be taken back and
    /// counted anew.
    private var told: Set<Substring> = []
    private let remote: VirtualRemote
    private let reader: SecondReader

    init(_ place: Workplace) throws {
        remote = try VirtualRemote(.init(name: Self.name, keys: [.volumeUp, .volumeDown]))
        reader = try SecondReader(node: remote.node)
        // Standard error goes to a file, because it is not read meanwhile.
        listener = try place.start(
            [], by: ["sh", "-c", "exec \"$0\" listen --json 2>\(place.directory)/complaints"])
        try eventually("the remote to be exclusive") {
            try place.complaints().contains { $0.contains("\(Self.name): exclusive") }
        }
    }

    /// Makes one press and waits for its count, or for another reader to receive it, as happens while a busy machine
    /// keeps the program from answering.
    func press() throws {
        try remote.press(.volumeUp, then: .zero)
        presses += 1
        try eventually("the press to be counted or heard", poll: .zero) {
            while told.count + heard < presses, let line = try? listener.readLine(timeout: .milliseconds(20))
            {
                if let void = line.firstMatch(of: #/"target":(\d+)/#) { told.remove(void.1) }
                if line.contains(Self.id), !line.contains("continuesHold") {
                    told.insert(try #require(line.firstMatch(of: #/"position":(\d+)/#)).1)
                }
            }
            try listen()
            return told.count + heard >= presses
        }
    }

    /// Counts the presses that another reader has received.
    func listen() throws { heard += try reader.take().count { $0 == .down(.volumeUp) } }

    func end() {
        listener.end()
        remote.destroy()
    }
}

extension Workplace {
    /// What the listener has written to standard error.
    fileprivate func complaints() throws -> [Substring] {
        try ChildProcess.run(["cat", directory + "/complaints"]).output.split(separator: "\n")
    }
}

/// Devices of all kinds that send random frames; now and then one is replaced by another.
///
/// They have no keys that would do harm on a machine in use.
struct Noise {
    private enum Device {
        case remote(VirtualRemote)
        case hid(HIDRemote, HIDLayout)

        func destroy() {
            switch self {
            case .remote(let remote): remote.destroy()
            case .hid(let remote, _): remote.destroy()
            }
        }
    }

    /// How long a device stays, in frames of all of them.
    private static let stay = 2500

    private(set) var frames = 0
    private var random: SplitMix64
    private var devices: [Device] = []
    private var made = 0

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        for _ in 0..<6 { devices.append(try makeDevice()) }
    }

    /// Unplugs all of them.
    mutating func end() {
        devices.forEach { $0.destroy() }
        devices = []
    }

    /// Sends a random frame from one of the devices.
    mutating func sendFrame() throws {
        frames += 1
        if frames % Self.stay == 0 { try replaceOne() }
        switch random.element(of: devices) {
        case .remote(let remote):
            try remote.emit(frame: (0...random.below(6)).map { _ in event() })
        case .hid(let remote, .consumerControl):
            try remote.report((0...random.below(4)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        case .hid(let remote, _):
            try remote.report(
                down: Self.hidKeys.filter { _ in random.below(2) == 0 }.shuffled(using: &random))
        }
    }

    private mutating func replaceOne() throws {
        let place = random.below(devices.count)
        devices[place].destroy()
        devices[place] = try makeDevice()
    }

    // MARK: - What they are

    private static let hidKeys: [Key] = [.volumeUp, .volumeDown, .mute, .playPause]

    private mutating func makeDevice() throws -> Device {
        made += 1
        let name = "Noise \(made)"
        if random.below(3) == 0 {
            let layout = random.element(of: HIDLayout.allCases)
            return .hid(try HIDRemote(name: name, layout: layout), layout)
        }
        var description = VirtualRemote.Description(name: name, keys: [.volumeUp, .volumeDown, .marker])
        // Devices that cannot be intercepted, that are grabbed whole, and whose keys the kernel repeats.
        if random.below(2) == 0 { description.keys.append(.a) }
        if random.below(2) == 0 { description.absoluteAxes = [(code: UInt16(ABS_MISC), range: -5...5)] }
        description.repeats = random.below(2) == 0
        description.sendsScanCodes = random.below(2) == 0
        return .remote(try VirtualRemote(description))
    }

    // MARK: - What they send

    private static let types = [
        EV_SYN, EV_KEY, EV_KEY, EV_KEY, EV_KEY, EV_REL, EV_ABS, EV_MSC, EV_SW, EV_LED, EV_SND, EV_FF,
    ].map { UInt16($0) }
    private static let codes = [KEY_VOLUMEUP, KEY_VOLUMEDOWN, KEY_VOLUMEUP, KEY_VOLUMEDOWN, KEY_MACRO30].map {
        UInt16($0)
    }

    /// Any type, code and value; mostly ones that the kernel passes on.
    private mutating func event() -> RawEvent {
        let bits = random.next()
        let type = bits & 15 == 0 ? UInt16(truncatingIfNeeded: bits >> 16) : random.element(of: Self.types)
        let code = bits & 0xF0 == 0 ? UInt16(truncatingIfNeeded: bits >> 32) : random.element(of: Self.codes)
        let value = bits & 0xF00 == 0 ? Int32(truncatingIfNeeded: bits >> 32) : Int32(random.below(4)) - 1
        return RawEvent(type: type, code: type == EV_SYN ? code % 4 : code, value: value)
    }
}
