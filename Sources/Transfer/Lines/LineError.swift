/// Why a line is refused.
public struct LineError: Error, Hashable, Sendable {
    /// The column and what is wrong with it.
    public let why: String
}
