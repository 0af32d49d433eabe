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
    var deviceId: String? {
        guard case .entry(let entry) = request.change else { return nil }
        return entry.deviceId
    }

    /// Turns a repeat into the first count of its hold.
    mutating func beginHold() {
        guard case .entry(let entry) = request.change, entry.continuesHold else { return }
        request = Request(
            locationId: request.locationId, userId: request.userId, timestamp: request.timestamp,
            change: .entry(entry.continuing(false)))
    }
}
