/// The position of a row in the journal. Positions only grow; they need not be consecutive.
public struct Position: Comparable, Hashable, Codable, Sendable {
    /// 1 or more for a row of the journal; 0 stands for "before the first row".
    public let number: Int64

    /// Before the first row of any journal.
    public static let start = Position(0)

    /// Creates a position.
    ///
    /// - parameter number: 0 (before the first row) or more.
    public init(_ number: Int64) {
        self.number = number
    }

    /// Whether a row stands before another one.
    public static func < (left: Position, right: Position) -> Bool {
        left.number < right.number
    }
}
