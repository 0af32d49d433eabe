/// The difference between local time and UTC.
package struct UTCOffset: Comparable, Hashable, Sendable, CustomStringConvertible {
    /// The offsets that RFC 8536, section 3.2, allows: more than -25 hours, less than 26.
    package static let range = -89_999...93_599
    /// UTC itself.
    package static let zero = UTCOffset(seconds: 0)

    /// Seconds, positive east of Greenwich; in ``range``.
    package let seconds: Int

    /// Creates an offset.
    ///
    /// - Parameter seconds: Seconds east of UTC, in ``range``.
    package init(seconds: Int) {
        precondition(Self.range.contains(seconds), "no zone is \(seconds) s ahead of UTC")
        self.seconds = seconds
    }

    /// Whether an offset is further west than another one.
    package static func < (left: UTCOffset, right: UTCOffset) -> Bool { left.seconds < right.seconds }

    /// In ISO 8601 form: `+01:00`, `-03:30`; with seconds where they are not 0, as in local mean times: `+00:34:08`.
    package var description: String {
        let size = seconds.magnitude
        let parts = [size / 3600, size / 60 % 60] + (size % 60 == 0 ? [] : [size % 60])
        return (seconds < 0 ? "-" : "+") + parts.map { $0.padded(to: 2) }.joined(separator: ":")
    }
}

extension BinaryInteger {
    /// Decimal digits, padded with zeros to a width; for values of 0 or more.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
