import CounterModel

/// The answer to one line of a producer, sent once the line is committed or certain not to be.
struct IngestAnswer: Equatable {
    /// The result of a line.
    enum Result: Equatable {
        /// The row was appended.
        case accepted(Position)
        /// The journal had the row already; nothing has changed.
        case duplicate(Position?, why: String?)
        /// The row was appended. Another event had its sequence number, so the device has restarted its numbers.
        case conflict(Position, epoch: Int)
        /// The line says nothing that a journal keeps.
        case ignored
        /// Nothing has changed.
        case refused(why: String)
    }

    /// The number of the line, from 1.
    let line: Int
    let result: Result

    /// The answer as a line of JSON, with its line end.
    var text: String {
        var object = JSONLine()
        object.add("line", line)
        switch result {
        case .accepted(let position):
            object.add("result", "accepted")
            object.add("position", Int(position.number))
        case .duplicate(let position, let why):
            object.add("result", "duplicate")
            object.add("why", why)
            object.add("position", position.map { Int($0.number) })
        case .conflict(let position, let epoch):
            object.add("result", "conflict")
            object.add("why", "the number is another event's: the device has started again")
            object.add("position", Int(position.number))
            object.add("epoch", epoch)
        case .ignored: object.add("result", "ignored")
        case .refused(let why):
            object.add("result", "refused")
            object.add("why", why)
        }
        return object.text + "\n"
    }
}

extension IngestAnswer.Result {
    /// Creates the answer to a request; `locations` are the existing locations.
    init(_ receipt: Receipt, _ locations: @autoclosure () -> [Location]) {
        switch receipt.outcome {
        case .accepted(let position), .corrected(let position, _, _), .undone(let position, _):
            self = .accepted(position)
        case .duplicate(let position): self = .duplicate(position, why: nil)
        case .acceptedInNewEpoch(let position, let epoch): self = .conflict(position, epoch: epoch)
        case .nothingToUndo, .nothingToVoid:
            self = .duplicate(nil, why: "what it takes back is void already, or not here")
        case .refused(let refusal):
            self = .refused(why: refusal.reason(receipt.request.row.locationId, locations()))
        }
    }
}
