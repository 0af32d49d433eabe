import CounterModel
import Glibc

extension Timestamp {
    /// The local time of day, such as `14:03:59`. The corresponding C function is `localtime_r(3)`.
    var localTime: String { formatted("%H:%M:%S", localtime_r) }

    /// The moment in UTC by ISO 8601, with microseconds: `2026-01-14T13:03:59.120000Z`.
    var iso8601: String {
        let fraction = String(microseconds.modulo(1_000_000))
        return formatted("%Y-%m-%dT%H:%M:%S", gmtime_r)
            + ".\(String(repeating: "0", count: 6 - fraction.count))\(fraction)Z"
    }

    private func formatted(
        _ format: String,
        _ convert: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
    ) -> String {
        var seconds = time_t((microseconds - microseconds.modulo(1_000_000)) / 1_000_000)
        var parts = tm()
        guard convert(&seconds, &parts) != nil else { return "?" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let count = strftime(buffer.baseAddress, buffer.count, format, &parts)
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}

extension Int64 {
    /// The remainder that is never negative.
    fileprivate func modulo(_ divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
