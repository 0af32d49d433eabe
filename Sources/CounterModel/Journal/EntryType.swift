/// The direction of an entry.
public enum EntryType: String, Codable, Sendable, CaseIterable {
    /// One more: a delta of +1.
    case `in`
    /// One fewer: a delta of -1.
    case out

    /// The change of the level: +1 or -1.
    public var delta: Int {
        switch self {
        case .in: 1
        case .out: -1
        }
    }

    /// The type with this delta; nil where there is none.
    ///
    /// - parameter delta: +1 or -1; any other number gives nil.
    public init?(delta: Int) {
        switch delta {
        case 1: self = .in
        case -1: self = .out
        default: return nil
        }
    }
}
