/// Something in a location's history that somebody should know of.
public enum Anomaly: Hashable, Sendable {
    /// More than 110 % of the capacity were inside, to the minute.
    case overcrowding(Range<Timestamp>, highest: Int)
    /// More had left than had come, to the minute: some were not counted.
    case negativeDrift(Range<Timestamp>, lowest: Int)
    /// No event and no sign of life for longer than the threshold, to the minute.
    case silence(Range<Timestamp>)
    /// Numbers of a device are missing.
    ///
    /// - parameter at: When the event came that showed it.
    case sequenceGap(deviceId: String, first: Int, last: Int, at: Timestamp)
    /// A device has started its numbers again.
    case restart(deviceId: String, epoch: Int, at: Timestamp)
    /// An event came with a time 5 minutes ahead or more; it counts when it was received.
    case clockSkew(deviceId: String, timestamp: Timestamp, receivedAt: Timestamp)

    /// When it began or was noticed.
    public var start: Timestamp {
        switch self {
        case .overcrowding(let range, _), .negativeDrift(let range, _), .silence(let range): range.lowerBound
        case .sequenceGap(_, _, _, let at), .restart(_, _, let at): at
        case .clockSkew(_, _, let receivedAt): receivedAt
        }
    }
}
