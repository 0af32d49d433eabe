import CounterModel
import VolumeInput

/// How `counter listen` writes a change.
struct LineFormat {
    var isJSON: Bool
    /// What is done with the keys while it listens.
    var attention: Attention

    /// The line for a change; `nil` where nothing changed.
    ///
    /// Plain lines are the count of one location and nothing else. JSON lines tell of all locations.
    func line(for receipt: Receipt, in locationId: String) -> String? {
        guard let kind = kind(of: receipt) else { return nil }
        if isJSON { return json(receipt, kind) }
        return receipt.request.locationId == locationId ? String(receipt.level) : nil
    }

    private func kind(of receipt: Receipt) -> String? {
        switch (receipt.outcome, receipt.request.change) {
        case (.accepted, .entry(let entry)), (.acceptedInNewEpoch, .entry(let entry)): entry.type.rawValue
        case (.accepted, .void): "void"
        case (.accepted, .reset): "reset"
        case (.undone, _): "undo"
        case (.accepted, .undo), (.acceptedInNewEpoch, _), (.duplicate, _), (.nothingToUndo, _),
            (.nothingToVoid, _),
            (.refused, _):
            nil
        }
    }

    private func json(_ receipt: Receipt, _ kind: String) -> String {
        var object = JSONLine()
        object.add("type", kind)
        object.add("timestamp", receipt.request.timestamp.iso8601)
        object.add("locationId", receipt.request.locationId)
        switch receipt.request.change {
        case .entry(let entry):
            object.add("delta", entry.type.delta)
            object.add("deviceId", entry.deviceId)
        case .reset(let reset):
            object.add("value", reset.value)
            object.add("deviceId", reset.deviceId)
        case .void(let target): object.add("target", Int(target.number))
        case .undo: break
        }
        object.add("userId", receipt.request.userId)
        object.add("position", receipt.position.map { Int($0.number) })
        object.add("count", receipt.level)
        return object.text
    }
}

extension Receipt {
    /// Where the change stands in the journal.
    fileprivate var position: Position? {
        switch outcome {
        case .accepted(let position), .duplicate(let position), .acceptedInNewEpoch(let position, epoch: _),
            .undone(let position, _):
            position
        case .nothingToUndo, .nothingToVoid, .refused: nil
        }
    }
}
