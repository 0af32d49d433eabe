/// The position of a row in the journal. Positions only grow; they need not be consecutive.
package struct Position: Comparable, Hashable, Sendable {
    /// 1 or more for a row of the journal; 0 stands for "before the first row".
    package let number: Int64

    /// Before the first row of any journal.
    package static let start = Position(0)

    package init(_ number: Int64) { self.number = number }

    package static func < (left: Position, right: Position) -> Bool { left.number < right.number }
}

/// A random id of a timer or a preset: a UUID of version 4 (RFC 9562), in small letters.
package struct UniqueId: Hashable, Sendable, CustomStringConvertible {
    /// Such as `3f2504e0-4f89-41d3-9a0c-0305e82c3301`.
    package let description: String

    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    package init(using generator: inout some RandomNumberGenerator) {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += byte.padded(to: 2, radix: 16)
        }
        description = text
    }

    /// Reads an id; nil where the text is no UUID.
    package init?(_ text: some StringProtocol) {
        let parts = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [8, 4, 4, 4, 12],
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isHexDigit } })
        else { return nil }
        description = text.lowercased()
    }
}
