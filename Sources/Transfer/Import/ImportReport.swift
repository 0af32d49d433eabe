package import CounterModel
package import CounterStore
import Glibc
package import Linux

/// Reports an import on standard error: each problem once, with the numbers of the lines that have it, and the progress.
package final class ImportReport {
    /// From here on a time is told as still to come, as History tells of a clock that is ahead.
    private static let tolerance = Duration.seconds(300)

    private let file: String
    /// When the import began.
    let now: Timestamp
    /// Those of the journal then.
    let locations: [Location]
    private let complain: (ProgramError) -> Void
    private var reach: [Identifier: Reach]
    /// The lines of the items that are not stored yet.
    private var waiting: [Int] = []
    private var problems = LineProblems()
    private var bar = ProgressBar()
    package private(set) var refused = 0
    /// The lines whose time is still to come.
    private var ahead: (count: Int, first: (line: Int, row: JournalRow)?, last: Int) = (0, nil, 0)

    /// How far the rows of days that are over have moved the count of a location.
    private struct Reach {
        let today: Timestamp
        var level: Int
        var moved = 0
    }

    /// Of a file of which nothing was read yet. `complain` is called with each problem.
    package init(
        _ file: String, into journal: SQLiteJournal, now: Timestamp,
        complain: @escaping (ProgramError) -> Void = { Output.complain($0) }
    ) throws(JournalError) {
        (self.file, self.now, self.complain) = (file, now, complain)
        locations = try journal.locations()
        reach = [:]
        for location in locations {
            let today = location.calendar(about: now).day(containing: now).start
            reach[location.id] = Reach(today: today, level: try journal.state(of: location.id)?.level ?? 0)
        }
    }

    /// Notes a line that is invalid by itself.
    package func refuse(_ line: Int, _ why: String) {
        refused += 1
        problems.note(line, why)
    }

    /// Notes what is to be known of a line that counts.
    package func tell(_ line: Int, _ what: String) { problems.note(line, what) }

    /// Notes a line whose item is stored next.
    package func await(_ line: Int) { waiting.append(line) }

    /// Notes the results of the lines awaited so far, which are stored, and how much of the file has been read, from 0 to 1.
    package func note(_ results: [ImportResult], progress: Double) {
        for (line, result) in zip(waiting, results) {
            switch result {
            case .row(let receipt), .endOfDay(let receipt?): note(line, receipt)
            case .stored, .endOfDay: break
            case .unknownConnection: refuse(line, "there is no such device or location")
            }
        }
        waiting.removeAll(keepingCapacity: true)
        if problems.areMany { tell() }
        bar?.show(progress)
    }

    private func note(_ line: Int, _ receipt: Receipt) {
        switch receipt.outcome {
        case .refused(let refusal): refuse(line, refusal.reason(receipt.request.row.locationId, locations))
        case .acceptedInNewEpoch:
            problems.note(line, receipt.request.row.conflict)
            noteTime(line, receipt)
        case .accepted, .corrected: noteTime(line, receipt)
        case .duplicate, .undone, .redone, .nothingToUndo, .nothingToRedo, .nothingToVoid: break
        }
    }

    private func noteTime(_ line: Int, _ receipt: Receipt) {
        let row = receipt.request.row
        guard !row.isTakenOver, let id = row.locationId else { return }
        if row.origin?.identity == nil, let place = reach[id] {
            if row.timestamp < place.today { reach[id]?.moved += receipt.level - place.level }
            reach[id]?.level = receipt.level
        }
        guard row.timestamp >= now + Self.tolerance, line != ahead.last else { return }
        if ahead.first == nil { ahead.first = (line, row) }
        ahead.count += 1
        ahead.last = line
    }

    /// That lines are still to come, which count now; nil where there are none.
    package var futureWords: String? {
        guard let (line, row) = ahead.first, let id = row.locationId else { return nil }
        let time = LocationTimes(locations).plain(row.timestamp, of: id)
        let lines = ahead.count == 1 ? "this line is" : "\(ahead.count) lines are"
        return "\(file):\(line): \(time) is still to come: \(lines) counted now, at the time of the import"
    }

    /// That days that are over have moved counts of today; nil where they have not.
    package var movedWords: String? {
        let moved = locations.compactMap { location in
            reach[location.id].flatMap { place in
                place.moved == 0 ? nil : "'\(location.name)' by \(place.moved > 0 ? "+" : "")\(place.moved)"
            }
        }
        return moved.isEmpty
            ? nil : "days of the file that are over have moved the count of \(moved.joined(separator: ", "))"
    }

    /// Reports what has not been reported, and clears the progress bar.
    package func finish() {
        tell()
        bar?.clear()
    }

    private func tell() {
        guard !problems.isEmpty else { return }
        bar?.clear()
        for text in problems.texts {
            complain(ProgramError("\(file):\(text)", status: EX_DATAERR))
        }
        problems = LineProblems()
    }
}

extension JournalRow {
    /// The message for a line whose number belongs to another event.
    fileprivate var conflict: String {
        guard case .entry(let entry) = content, let number = entry.sequenceNumber else { return "counted" }
        return
            "counted, though \(entry.deviceId) has sent another event as number \(number): it has started again"
    }
}

extension Refusal {
    /// The reason for whoever wrote the line. `locations` is evaluated only where the reason is about them.
    func reason(_ locationId: Identifier?, _ locations: @autoclosure () -> [Location]) -> String {
        guard case .unknownLocation = self, let locationId else { return reason() }
        return Self.unknown(locationId, locations())
    }

    // A line has to give the location's id; users often write its name instead.
    private static func unknown(_ id: Identifier, _ locations: [Location]) -> String {
        guard let namesake = locations.first(where: { $0.name == id.text || $0.id.text == id.text }) else {
            let nearest = locations.flatMap { [$0.id.text, $0.name] }.nearest(to: id.text)
            if let meant = locations.first(where: { $0.id.text == nearest || $0.name == nearest }) {
                return
                    "there is no location with the id '\(id)'. Did you mean '\(meant.id.text.distinct(from: [id.text]))'?"
            }
            return
                "there is no location with the id '\(id)'; add it with: counter location add \(id.text.quotedForShell)"
        }
        let (wanted, other) = (id.text, namesake.id.text)
        return
            "there is no location with the id '\(wanted.distinct(from: [other]))'; the one called so has the id '\(other.distinct(from: [wanted]))'"
    }
}

// MARK: - Problems

struct LineProblems {
    /// How many line numbers a problem shows.
    private static let shown = 5
    /// How many kinds of problems are kept.
    private static let most = 1000

    private struct Problem {
        /// The text of the first line that has it.
        let text: String
        var lines: [Int]
        var count: Int
    }

    private var problems: [String: Problem] = [:]

    var isEmpty: Bool { problems.isEmpty }
    /// Whether there are so many that they should be reported now.
    var areMany: Bool { problems.count >= Self.most }

    /// Notes a line with a problem. Problems that differ only in numbers and in what is quoted are of one kind.
    mutating func note(_ line: Int, _ text: String) {
        let kind = Self.kind(text)
        var problem = problems[kind] ?? Problem(text: text, lines: [], count: 0)
        problem.count += 1
        if problem.lines.count < Self.shown { problem.lines.append(line) }
        problems[kind] = problem
    }

    /// Each problem, with its first line's number before it, in the order of these.
    var texts: [String] {
        problems.values.sorted { $0.lines[0] < $1.lines[0] }.map { problem in
            let start = "\(problem.lines[0]): \(problem.text)"
            guard problem.count > 1 else { return start }
            let more = problem.count > problem.lines.count ? ", …" : ""
            let lines = problem.lines.map(String.init).joined(separator: ", ")
            return "\(start) (\(problem.count) lines such as this: \(lines)\(more))"
        }
    }

    private static func kind(_ text: String) -> String {
        var kind: [UInt8] = []
        var isQuoted = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") { isQuoted.toggle() }
            if !isQuoted, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte) { kind.append(byte) }
        }
        return String(decoding: kind, as: UTF8.self)
    }
}

// MARK: - Progress

/// A progress bar in the cursor's line of the terminal on standard error.
struct ProgressBar {
    private static let interval = Duration.milliseconds(100)
    private static let cells = 25

    private var due = MonotonicTime.now + Self.interval
    private var isShown = false

    /// A bar that is not shown yet; nil where standard error is not a terminal.
    init?() {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
    }

    /// Draws the bar, unless it was drawn less than 100 ms ago: a task that is faster than that shows no bar.
    /// `progress`: from 0 to 1.
    mutating func show(_ progress: Double) {
        let now = MonotonicTime.now
        guard now >= due else { return }
        due = now + Self.interval
        isShown = true
        let percent = String(Int(progress * 100))
        let done = String(repeating: "#", count: Int(progress * Double(Self.cells)))
        let cells = done + String(repeating: ".", count: Self.cells - done.count)
        write("\r" + String(repeating: " ", count: 3 - percent.count) + percent + " % [\(cells)]")
    }

    /// Removes the bar, with control characters that every terminal has.
    mutating func clear() {
        guard isShown else { return }
        isShown = false
        write("\r" + String(repeating: " ", count: Self.cells + 8) + "\r")
    }

    /// What cannot be shown is left out: the import goes on.
    private func write(_ text: String) { try? Output.write(text, to: STDERR_FILENO) }
}
