/// How full a location with a capacity is.
package enum OccupancyStatus: String, Codable, Sendable, CaseIterable {
    /// Below 80 % of the capacity.
    case ok
    /// 80 % of the capacity or more, but not full.
    case warning
    /// The capacity is reached, or exceeded.
    case full

    /// The status of a count. The comparison uses integers, so no rounding can put a share between two cases.
    ///
    /// - parameters:
    ///     - count: Any `Int`.
    ///     - capacity: 1 or more.
    package init(count: Int, capacity: Int) {
        self =
            count >= capacity ? .full : Int128(count) * 100 < Int128(capacity) * 80 ? .ok : .warning
    }

    /// Whether a count is above 110 % of a capacity.
    package static func isOvercrowded(count: Int, capacity: Int) -> Bool {
        Int128(count) * 100 > Int128(capacity) * 110
    }
}
