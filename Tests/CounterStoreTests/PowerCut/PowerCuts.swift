import TestSupport

/// Cuts the power at each sync and each acknowledgement of a recording, and examines what the next start finds.
///
/// No cut is needed in between: what was written by then is part of what may survive a cut before the next sync.
struct PowerCuts {
    /// How many states with random parts of the unsynced data are made for each cut.
    private static let partsPerCut = Volume.of(sample: 8, full: 30)

    private let session: RecordedSession
    private let inspection: Inspection
    private var disk: Disk
    private var generator: SplitMix64
    /// How many rows the journal must have, because the program has said that they are stored.
    private var acknowledged = 0
    /// The hashes of the states that were examined: the states themselves would fill the memory.
    private var seen: Set<Int> = []
    private var findings = Findings()

    /// The seed decides what survives.
    init(_ session: RecordedSession, seed: UInt64) throws {
        self.session = session
        inspection = try Inspection(of: session)
        disk = Disk(folder: session.folder)
        generator = SplitMix64(seed: seed)
    }

    mutating func run() throws -> Findings {
        for event in session.recording.events {
            switch event {
            case .synced(let path): try cut("before a sync of \(path)")
            case .said(let text): if let claim = Claim(text) { try acknowledge(claim) }
            case .madeFile, .madeDirectory, .removed, .wrote, .truncated: break
            }
            disk.apply(event)
        }
        try cut("at the end")
        return findings
    }

    /// What the program claims must have been written; from here on no cut may lose it.
    private mutating func acknowledge(_ claim: Claim) throws {
        switch try inspection.inspect(disk.remains(.everything)) {
        case .whole(let contents) where claim.isTrue(of: contents): acknowledged = contents.rows
        case let found: findings.note(.untrue, "\(claim) was said of \(found)")
        }
        try cut("after \(claim)")
    }

    private mutating func cut(_ moment: String) throws {
        try look(at: .everything, moment)
        guard disk.hasUnsynced else { return }
        try look(at: .nothing, moment)
        for _ in 0..<Self.partsPerCut { try look(at: .some(&generator), moment) }
    }

    private mutating func look(at survival: Survival, _ moment: String) throws {
        let remains = disk.remains(survival)
        guard seen.insert(hash(of: remains)).inserted else { return }
        findings.states += 1
        switch try inspection.inspect(remains) {
        case .whole(let contents):
            guard contents.rows < acknowledged else { return }
            findings.note(.lost, "\(moment): \(contents.rows) of \(acknowledged) rows")
        case .damaged(let why):
            findings.note(.damaged, "\(moment): \(why)")
        }
    }

    private func hash(of remains: [Disk.Remnant]) -> Int {
        var hasher = Hasher()
        hasher.combine(acknowledged)
        for remnant in remains {
            hasher.combine(remnant.path)
            guard case .file(let bytes) = remnant.item else { continue }
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        return hasher.finalize()
    }
}

/// The result, in numbers of different states of the disk.
struct Findings: CustomStringConvertible {
    enum Fault {
        /// An acknowledged row is missing.
        case lost
        /// The journal cannot be opened, does not verify, or has rows that were never appended.
        case damaged
        /// A row was acknowledged before it was written.
        case untrue
    }

    var states = 0
    private(set) var faults: [Fault: Int] = [:]
    /// The first faults, in words.
    private(set) var examples: [String] = []

    var bad: Int { faults.values.reduce(0, +) }
    var description: String { "\(bad) bad of \(states) states" }

    mutating func note(_ fault: Fault, _ why: String) {
        faults[fault, default: 0] += 1
        if examples.count < 10 { examples.append("\(fault): \(why)") }
    }
}

/// A statement of the program about the journal, made to its user.
enum Claim: Equatable {
    /// The count, printed or in the terminal's title.
    case count(Int)
    /// How many lines an import has stored.
    case imported(Int)

    /// Nil if the text has no such statement.
    init?(_ text: String) {
        if let count = Int(text.dropLast()) {
            self = .count(count)
        } else if let title = text.ranges(of: "\u{1B}]2;Count ").last,
            let count = Self.number(at: title, text)
        {
            self = .count(count)
        } else if let word = text.firstRange(of: "accepted "), let count = Self.number(at: word, text) {
            self = .imported(count)
        } else {
            return nil
        }
    }

    private static func number(at range: Range<String.Index>, _ text: String) -> Int? {
        Int(text[range.upperBound...].prefix { $0 == "-" || $0.isNumber })
    }

    func isTrue(of contents: Inspection.Contents) -> Bool {
        switch self {
        case .count(let count): contents.level == count
        case .imported(let count): contents.imported == count
        }
    }
}
