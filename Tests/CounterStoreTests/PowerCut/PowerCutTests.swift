import TestSupport
import Testing

@testable import CounterStore

/// Power cuts at any moment. Killing the program would not show the same: the kernel keeps what a killed program has
/// written without a sync.
@Suite struct PowerCutTests {
    private static let seed: UInt64 = 20_261_121

    private func cuts(of session: RecordedSession) throws -> Findings {
        var cuts = try PowerCuts(session, seed: Self.seed)
        return try cuts.run()
    }

    @Test func `Nothing is lost that was acknowledged, whatever a power cut leaves`() throws {
        let findings = try cuts(of: RecordedSession())
        print("measured: power cut, synchronous=FULL: \(findings)")
        #expect(findings.bad == 0, "\(findings.examples)")
        #expect(findings.states >= Volume.of(sample: 300, full: 1_000))
    }

    @Test func `With synchronous=NORMAL acknowledged counts are lost, so the test above can fail`() throws {
        let findings = try cuts(of: RecordedSession(synchronous: "NORMAL"))
        print("measured: power cut, synchronous=NORMAL: \(findings)")
        #expect(findings.faults[.lost, default: 0] > findings.states / 10)
        // With `synchronous=NORMAL` only durability is lost.
        #expect(findings.faults.keys.allSatisfy { $0 == .lost }, "\(findings.examples)")
    }

    @Test func `The recording holds all that was done, and all that was said`() throws {
        let session = try RecordedSession()
        var disk = Disk(folder: session.folder)
        for event in session.recording.events { disk.apply(event) }
        let files = disk.remains(.everything)
        #expect(files.contains { $0.path.hasSuffix("journal.sqlite") })
        for remnant in files {
            guard case .file(let bytes) = remnant.item else { continue }
            #expect(bytes == contents(of: session.folder + remnant.path), "\(remnant.path)")
        }
        var claims: [Claim] = []
        for case .said(let text) in session.recording.events {
            // Output that the terminal did not take at first is written again.
            if let claim = Claim(text), claim != claims.last { claims.append(claim) }
        }
        func onScreen(_ start: Int) -> [Int] { Array(start...start + 12) + [0, -1, 0, start + 12] }
        let counts = [onScreen(3), [40], onScreen(75), [85]].map { $0.map { Claim.count($0) } }
        #expect(claims == counts[0] + [.imported(60)] + counts[1...].joined())
    }
}
