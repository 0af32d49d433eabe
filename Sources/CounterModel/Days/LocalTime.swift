import Glibc

extension Timestamp {
    /// The local time of day, such as `14:03:59`. The corresponding C function is `localtime_r(3)`.
    package var localTime: String { local("%H:%M:%S") }

    /// The local date and time of day to the minute, such as `2026-03-29 14:03`.
    package var localDateAndTime: String { local("%Y-%m-%d %H:%M") }

    /// The local time of day, with the date before it where that is another day's than `now`: `2026-03-30 14:03:59`.
    package func localTime(at now: Timestamp) -> String {
        let day = "%Y-%m-%d"
        return local(day) == now.local(day) ? localTime : local("%Y-%m-%d %H:%M:%S")
    }

    private func local(_ format: String) -> String {
        var seconds = time_t(seconds)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "?" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            let count = strftime(buffer.baseAddress, buffer.count, format, &parts)
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
