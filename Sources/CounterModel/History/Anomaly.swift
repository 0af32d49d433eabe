package import Linux

/// Something unusual in a location's history that its operator should check.
package enum Anomaly: Hashable, Sendable {
    /// The level was above 110 % of the capacity; in whole minutes.
    case overcrowding(Range<Timestamp>, highest: Int)
    /// The level was below 0, so some arrivals were not counted; in whole minutes.
    case negativeDrift(Range<Timestamp>, lowest: Int)
    /// No event and no connected device for longer than the threshold; in whole minutes.
    case silence(Range<Timestamp>)
    /// Sequence numbers of a device are missing.
    ///
    /// - parameter at: When the event arrived that revealed the gap.
    case sequenceGap(deviceId: Identifier, first: Int, last: Int, at: Timestamp)
    /// A device has restarted its sequence numbers.
    case restart(deviceId: Identifier, epoch: Int, at: Timestamp)
    /// An event arrived with a time 5 minutes or more in the future; it counts at the time it was received.
    case clockSkew(deviceId: Identifier, timestamp: Timestamp, receivedAt: Timestamp)

    /// When the anomaly began or was noticed.
    package var start: Timestamp {
        switch self {
        case .overcrowding(let range, _), .negativeDrift(let range, _), .silence(let range): range.lowerBound
        case .sequenceGap(_, _, _, let at), .restart(_, _, let at): at
        case .clockSkew(_, _, let receivedAt): receivedAt
        }
    }
}
