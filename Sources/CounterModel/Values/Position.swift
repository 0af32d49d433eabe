/// The position of a row in the journal. Positions only grow; they need not be consecutive.
package struct Position: Comparable, Hashable, Codable, Sendable {
    /// 1 or more for a row of the journal; 0 stands for "before the first row".
    package let number: Int64

    /// Before the first row of any journal.
    package static let start = Position(0)

    /// Creates a position.
    ///
    /// - parameter number: 0 (before the first row) or more.
    package init(_ number: Int64) {
        self.number = number
    }

    /// Whether a row stands before another one.
    package static func < (left: Position, right: Position) -> Bool {
        left.number < right.number
    }
}
