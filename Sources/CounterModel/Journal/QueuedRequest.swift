import Linux

/// A request in the queue, not stored yet.
struct QueuedRequest {
    private(set) var request: Request
    /// The token by which a count can be taken back; nil for other requests.
    let token: UInt64?

    init(request: Request, token: UInt64?) {
        self.request = request
        self.token = token
    }

    /// The device of a count; nil for other requests.
    var deviceId: Identifier? {
        entry?.deviceId
    }

    /// The count that it repeats or makes; nil for other requests.
    var entry: NewEntry? {
        switch request.change {
        case .entry(let entry), .entries(let entry, _): entry
        case .correction, .void, .voidPress, .reset, .endOfDay, .setting, .timerEvent, .undo: nil
        }
    }

    /// Turns a repeat into the first count of its hold.
    mutating func beginHold() {
        guard let entry, entry.continuesHold else { return }
        let first = entry.continuing(false)
        let change: Change =
            if case .entries(_, let count) = request.change { .entries(first, count: count) } else {
                .entry(first)
            }
        request = Request(
            locationId: request.locationId, userId: request.userId, timestamp: request.timestamp,
            change: change)
    }
}
