/// A request that waits to be stored.
struct QueuedRequest {
    private(set) var request: Request
    /// What it can be taken back by, if it is a count.
    let token: UInt64?

    init(request: Request, token: UInt64?) {
        self.request = request
        self.token = token
    }

    /// The device that counts with it; nil where it is no count.
    var deviceId: String? {
        guard case .entry(let entry) = request.change else { return nil }
        return entry.deviceId
    }

    /// Makes a repeat the first count of its hold.
    mutating func beginHold() {
        guard case .entry(let entry) = request.change, entry.continuesHold else { return }
        request = Request(
            locationId: request.locationId, userId: request.userId, timestamp: request.timestamp,
            change: .entry(entry.continuing(false)))
    }
}
