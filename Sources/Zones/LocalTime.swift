public import CounterModel
import Glibc

extension Timestamp {
    /// The local time of day, such as `14:03:59`. The corresponding C function is `localtime_r(3)`.
    public var localTime: String {
        var seconds = time_t(seconds)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "?" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { buffer in
            let count = strftime(buffer.baseAddress, buffer.count, "%H:%M:%S", &parts)
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
