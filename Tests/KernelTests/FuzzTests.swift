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
        let counted = try place.exported().count { $0.contains(",in,") && $0.contains(Person.id) }
        #expect(counted + person.heard == person.presses, "COUNTER_FUZZ_SEED=\(Self.seed)")
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
    /// How many presses it has counted. One whose release is read late counts as a hold too, until that is taken
    /// back.
    private var told = 0
    private let remote: VirtualRemote
    private let reader: SecondReader

    init(_ place: Workplace) throws {
        remote = try VirtualRemote(.init(name: Self.name, keys: [.volumeUp, .volumeDown]))
        reader = try SecondReader(node: remote.node)
        // Standard error goes to a file, because it is not read meanwhile.
        listener = try ChildProcess(
            [
                "sh", "-c", "exec \"$0\" listen --json 2>\(place.directory)/complaints",
                BuiltProducts.counter,
            ], environment: place.environment)
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
            while told + heard < presses, let line = try? listener.readLine(timeout: .milliseconds(20)) {
                if line.contains(Self.id), !line.contains("continuesHold") { told += 1 }
            }
            try listen()
            return told + heard >= presses
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
