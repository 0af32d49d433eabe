package import Linux

/// A correction to append: one row that moves the level by a difference.
package struct NewCorrection: Hashable, Sendable {
    /// By how much the level moves.
    package enum Amount: Hashable, Sendable {
        /// By this difference, not 0.
        case by(Int)
        /// To this level. The difference is computed in the transaction that appends the row.
        case to(Int)

        /// Reads `+3`, `-3` or `=45`; a level may be negative, `=-45`.
        ///
        /// - returns: nil where the text is none of these, or a difference is one that no correction has.
        package init?(_ text: some StringProtocol) {
            let digits = text.dropFirst()
            guard let sign = text.first, let first = digits.utf8.first, let number = Int(digits) else {
                return nil
            }
            let isPlain = UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
            switch sign {
            case "+" where isPlain && NewCorrection.admits(number): self = .by(number)
            case "-" where isPlain && NewCorrection.admits(number): self = .by(-number)
            case "=" where isPlain || first == UInt8(ascii: "-"): self = .to(number)
            default: return nil
            }
        }

        /// The difference at a level; nil where it is beyond the range of `Int`.
        package func difference(at level: Int) -> Int? {
            switch self {
            case .by(let difference): return difference
            case .to(let target):
                let (difference, overflow) = target.subtractingReportingOverflow(level)
                return overflow ? nil : difference
            }
        }
    }

    /// The largest difference of one correction, up or down. Sums over a minute of such rows stay within `Int64`.
    package static let largest = 1_000_000_000

    /// The possible differences, for messages.
    package static let range = "1 to 1,000,000,000"

    /// By how much.
    package let amount: Amount
    /// Where it was entered: `Devices.terminal` or `Devices.commandLine`; of an imported line any id.
    package let deviceId: Identifier
    /// Why; see `ReasonRule`. nil only for a row of an earlier version, or of a file, that has none.
    package let reason: String?
    /// The line it was read from; nil where it is not from a file.
    package let line: ImportLine?

    /// Creates a correction.
    package init(_ amount: Amount, deviceId: Identifier, reason: String?, line: ImportLine? = nil) {
        self.amount = amount
        self.deviceId = deviceId
        self.reason = reason
        self.line = line
    }

    /// Whether a difference is one that a correction may have.
    package static func admits(_ difference: Int) -> Bool {
        difference != 0 && -largest...largest ~= difference
    }
}
