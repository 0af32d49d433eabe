package import CounterModel
package import CounterStore
import Glibc
import Linux

/// Reports an import on standard error: each problem once, with the numbers of the lines that have it, and the progress.
package final class ImportReport {
    private let file: String
    private let locations: [Location]
    /// The lines of the items that are not stored yet.
    private var waiting: [Int] = []
    private var problems = LineProblems()
    private var bar = ProgressBar()
    /// How many lines were refused.
    package private(set) var refused = 0

    /// A report of a file of which nothing was read yet.
    ///
    /// - Parameters:
    ///   - file: The file's name in messages.
    ///   - locations: The locations of the journal.
    package init(_ file: String, _ locations: [Location]) {
        self.file = file
        self.locations = locations
    }

    /// Notes a line that is invalid by itself.
    package func refuse(_ line: Int, _ why: String) {
        refused += 1
        problems.note(line, why)
    }

    /// Notes a line whose item is stored next.
    package func await(_ line: Int) { waiting.append(line) }

    /// Notes the result of a stored group.
    ///
    /// - Parameters:
    ///   - results: Those of the lines awaited so far.
    ///   - progress: How much of the file has been read, from 0 to 1.
    package func note(_ results: [ImportResult], progress: Double) {
        for (line, result) in zip(waiting, results) {
            switch result {
            case .row(let receipt): note(line, receipt)
            case .stored: break
            case .taken(let other):
                let (name, id) = (other.name, other.id.text)
                refuse(
                    line,
                    "there is a location '\(name.distinct(from: [id]))' already, with the id '\(id.distinct(from: [name]))'"
                )
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
        case .acceptedInNewEpoch: problems.note(line, receipt.request.row.conflict)
        case .accepted, .corrected, .duplicate, .undone, .nothingToUndo, .nothingToVoid: break
        }
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
            Output.complain(ProgramError("\(file):\(text)", status: EX_DATAERR))
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
