import Linux

/// A moment of wall-clock time, in microseconds since 1970-01-01 00:00:00 UTC: any `Int64`.
///
/// The model never reads a clock: callers pass every timestamp in.
package struct Timestamp: Comparable, Hashable, Sendable {
    package let microseconds: Int64

    private static let second: Int64 = 1_000_000

    /// The times that a journal accepts: the years 0000 to 9999 in UTC, which ISO 8601 writes with four digits.
    package static let journalTimes =
        Timestamp(seconds: -62_167_219_200)...Timestamp(microseconds: 253_402_300_799_999_999)

    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// A whole second. Values beyond some 292,000 years become the earliest or latest timestamp.
    package init(seconds: Int) {
        let (product, overflow) = Int64(seconds).multipliedReportingOverflow(by: Self.second)
        microseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since 1970-01-01 00:00:00 UTC, rounded down.
    package var seconds: Int {
        Int(microseconds.flooredQuotientAndRemainder(dividingBy: Self.second).quotient)
    }

    /// Microseconds since the last whole second, 0...999,999.
    package var fraction: Int {
        Int(microseconds.flooredQuotientAndRemainder(dividingBy: Self.second).remainder)
    }

    package var startOfMinute: Timestamp {
        let rest = microseconds.flooredQuotientAndRemainder(dividingBy: 60 * Self.second).remainder
        let (start, overflow) = microseconds.subtractingReportingOverflow(rest)
        return Timestamp(microseconds: overflow ? .min : start)
    }

    package var nextMinute: Timestamp { Timestamp(seconds: startOfMinute.seconds + 60) }

    /// The time at which an event counts: its own or, where the sender's clock is ahead, the one at which it was received.
    package func counted(receivedAt: Timestamp) -> Timestamp { min(self, receivedAt) }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}

// MARK: Arithmetic; results out of range become the earliest or latest timestamp

extension Timestamp {
    package static func + (time: Timestamp, duration: Duration) -> Timestamp {
        let (sum, overflow) = time.microseconds.addingReportingOverflow(duration.microseconds)
        return Timestamp(microseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    package static func - (time: Timestamp, duration: Duration) -> Timestamp {
        time + (.zero - duration)
    }

    /// How much later a time is than another one.
    package static func - (time: Timestamp, other: Timestamp) -> Duration {
        .microseconds(time.microseconds) - .microseconds(other.microseconds)
    }
}

extension Range<Timestamp> {
    package var duration: Duration { upperBound - lowerBound }
}

extension BinaryInteger {
    /// Divides by 1 or more towards negative infinity, so that the remainder is never negative.
    func flooredQuotientAndRemainder(dividingBy divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

// MARK: - Positions and ids

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
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
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
