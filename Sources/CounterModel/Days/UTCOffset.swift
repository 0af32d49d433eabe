/// How far the clocks of a place are ahead of UTC.
public struct UTCOffset: Comparable, Hashable, Sendable, CustomStringConvertible {
    /// What a zone may have by RFC 8536, section 3.2: more than -25 hours, less than 26.
    public static let range = -89_999...93_599
    /// UTC itself.
    public static let zero = UTCOffset(seconds: 0)

    /// Seconds, positive east of Greenwich; in ``range``.
    public let seconds: Int

    /// Creates an offset.
    ///
    /// - Parameter seconds: Seconds east of UTC, in ``range``.
    public init(seconds: Int) {
        precondition(Self.range.contains(seconds), "no zone is \(seconds) s ahead of UTC")
        self.seconds = seconds
    }

    /// Whether clocks here show less than there.
    public static func < (left: UTCOffset, right: UTCOffset) -> Bool { left.seconds < right.seconds }

    /// By ISO 8601: `+01:00`, `-03:30`; with seconds where there are any, as before the days of railways: `+00:34:08`.
    public var description: String {
        let size = seconds.magnitude
        let parts = [size / 3600, size / 60 % 60] + (size % 60 == 0 ? [] : [size % 60])
        return (seconds < 0 ? "-" : "+") + parts.map { $0.padded(to: 2) }.joined(separator: ":")
    }
}

extension BinaryInteger {
    /// Decimal digits, with zeros in front up to a width. For values that are not negative.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
