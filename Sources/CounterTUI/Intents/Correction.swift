public import CounterModel

/// Entries by hand that correct a count: `+3 came in by the back door`.
public struct Correction: Hashable, Sendable {
    /// The most entries of one change.
    static let most = 10_000
    private static let longestReason = 200

    /// In or out.
    public let type: EntryType
    /// How many, 1 to 10,000.
    public let count: Int
    /// Why, 1 to 200 characters.
    public let reason: String

    /// A correction of `count` entries.
    init(_ type: EntryType, _ count: Int, reason: String) {
        self.type = type
        self.count = count
        self.reason = reason
    }

    /// Parses a sign, a number, a space and the reason.
    ///
    /// - throws: `FieldProblem`
    init(typed text: String) throws(FieldProblem) {
        let parts = text.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
        guard let number = parts.first, let sign = number.first, "+-".contains(sign),
            number.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }), number.count > 1
        else { throw FieldProblem("it begins with how many, such as +3 or -3") }
        guard let count = Int(number.dropFirst()), 1...Self.most ~= count else {
            throw FieldProblem("how many is 1 to \(Self.most)")
        }
        guard parts.count == 2, !parts[1].isEmpty else { throw FieldProblem("the reason is missing") }
        guard parts[1].count <= Self.longestReason else {
            throw FieldProblem("a reason has at most \(Self.longestReason) characters")
        }
        self.init(sign == "+" ? .in : .out, count, reason: parts[1])
    }
}

extension String {
    /// The text without leading and trailing spaces.
    var trimmed: String {
        let start = drop { $0 == " " }
        guard let last = start.lastIndex(where: { $0 != " " }) else { return "" }
        return String(start[...last])
    }
}
