import CEvdev
import Glibc
import TestSupport
import Testing

/// Devices that send anything at all, in any order, and come and go meanwhile: the real programs stay as they are, and
/// what somebody counts on a device beside them is all there.
///
/// `COUNTER_FUZZ_SEED` asks for the frames of a run that failed.
@Suite(.serialized) struct FuzzTests {
    private static let frames = Volume.of(sample: 5_000, full: 100_000)
    private static let seed =
        getenv("COUNTER_FUZZ_SEED").flatMap { Int(String(cString: $0)) } ?? Int.random(in: 0...Int(Int32.max))
    /// How many frames lie between two presses of the one who counts.
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
        // That everybody heard a press is never kept from the one who counts.
        #expect(person.heard == 0 || complaints.contains { $0.contains("counter was stopped or busy") })
        let verified = try place.verify()
        #expect(verified.status == .exited(0), "\(verified) COUNTER_FUZZ_SEED=\(Self.seed)")
        let counted = try place.exported().count { $0.contains(",in,") && $0.contains(Person.id) }
        #expect(counted + person.heard == person.presses, "COUNTER_FUZZ_SEED=\(Self.seed)")
    }
}

/// The one who counts: `counter listen`, and a remote that sends well-formed presses.
private final class Person {
    static let name = "Clean Remote"
    static let id = "Clean_Remote"

    let listener: ChildProcess
    private(set) var presses = 0
    /// How many presses everybody has heard.
    private(set) var heard = 0
    /// How many presses it was told of. Of one whose release is late it is told as of a hold, too, until that is taken back.
    private var told = 0
    private let remote: VirtualRemote
    private let reader: SecondReader

    init(_ place: Workplace) throws {
        remote = try VirtualRemote(.init(name: Self.name, keys: [.volumeUp, .volumeDown]))
        reader = try SecondReader(node: remote.node)
        // Standard error goes to a file: nobody reads it while this goes on.
        listener = try ChildProcess(
            [
                "sh", "-c", "exec \"$0\" listen --json 2>\(place.directory)/complaints",
                BuiltProducts.counter,
            ], environment: place.environment)
        try eventually("the remote to be exclusive") {
            try place.complaints().contains { $0.contains("\(Self.name): exclusive") }
        }
    }

    /// One press, and the count that it makes; or it is heard by everybody, while a busy machine keeps the program from
    /// answering.
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

    /// Notes what everybody has heard.
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
