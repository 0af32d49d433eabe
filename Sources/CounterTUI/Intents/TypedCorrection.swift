package import CounterModel

/// A correction as it is typed: `=45 counted at noon`, `+3 came in by the back door`.
package struct TypedCorrection: Hashable, Sendable {
    private static let longestReason = 200

    /// By how much, or to which count.
    package let amount: NewCorrection.Amount
    /// Why, 1 to 200 characters.
    package let reason: String

    init(_ amount: NewCorrection.Amount, reason: String) {
        self.amount = amount
        self.reason = reason
    }

    /// Parses an amount, a space and the reason.
    ///
    /// - throws: `FieldProblem`
    init(typed text: String) throws(FieldProblem) {
        let parts = text.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
        guard let first = parts.first, let sign = first.first, "+-=".contains(sign),
            first.dropFirst(first.hasPrefix("=-") ? 2 : 1).first?.isNumber ?? false
        else { throw FieldProblem("Start with a number, for example +3, -3 or =45") }
        guard let amount = NewCorrection.Amount(first) else {
            throw FieldProblem("the number is \(NewCorrection.range)")
        }
        guard parts.count == 2, parts[1].hasVisibleCharacter else {
            throw FieldProblem("the reason is missing")
        }
        guard parts[1].count <= Self.longestReason else {
            throw FieldProblem("a reason has at most \(Self.longestReason) characters")
        }
        self.init(amount, reason: parts[1])
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
