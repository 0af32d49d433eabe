public import CounterModel
import Glibc
import System

/// Reports an import on standard error: the problems, with the numbers of the lines that have them, and the progress.
public final class ImportReport {
    private let file: String
    private let locations: [Location]
    private var notes: [(line: Int, text: String)] = []
    private var bar = ProgressBar()
    /// How many lines were refused.
    public private(set) var refused = 0

    /// A report of a file of which nothing was read yet.
    ///
    /// - Parameters:
    ///   - file: The file's name in messages.
    ///   - locations: The locations of the journal.
    public init(_ file: String, _ locations: [Location]) {
        self.file = file
        self.locations = locations
    }

    /// Notes a line that is invalid by itself.
    public func refuse(_ line: Int, _ why: String) {
        refused += 1
        notes.append((line, why))
    }

    /// Notes the result of a stored group, and reports all lines up to its end.
    ///
    /// - Parameters:
    ///   - receipts: The group.
    ///   - progress: How much of the file has been read, from 0 to 1.
    public func note(_ receipts: [Receipt], progress: Double) {
        for receipt in receipts {
            switch receipt.outcome {
            case .refused(let refusal):
                refuse(receipt.request.line, refusal.reason(receipt.request, locations))
            case .acceptedInNewEpoch: notes.append((receipt.request.line, receipt.request.conflict))
            case .accepted, .corrected, .duplicate, .undone, .nothingToUndo, .nothingToVoid: break
            }
        }
        tell()
        bar?.show(progress)
    }

    /// Reports what has not been reported, and clears the progress bar.
    public func finish() {
        tell()
        bar?.clear()
    }

    private func tell() {
        guard !notes.isEmpty else { return }
        bar?.clear()
        for note in notes.sorted(by: { $0.line < $1.line }) {
            Output.complain(Failure("\(file):\(note.line): \(note.text)", status: EX_DATAERR))
        }
        notes = []
    }
}

extension Request {
    /// The number of the line that the request was read from; 0 where there is none.
    fileprivate var line: Int {
        switch change {
        case .entry(let entry): entry.line?.number ?? 0
        case .correction(let correction): correction.line?.number ?? 0
        case .reset(let reset): reset.line?.number ?? 0
        case .entries, .void, .undo, .endOfDay, .setting: 0
        }
    }

    /// The message for a line whose number belongs to another event.
    fileprivate var conflict: String {
        guard case .entry(let entry) = change, let number = entry.sequenceNumber else { return "counted" }
        return
            "counted, though \(entry.deviceId) has sent another event as number \(number): it has started again"
    }
}
