import Glibc
import System

/// Changes the local zone of the process for the life of this value. Times are seconds since 1970, UTC.
struct BorrowedZone: ~Copyable {
    private static let day = 86_400

    private let previous: String?

    /// Sets `TZ` to a zone of the database. A leading colon tells glibc that a file's name follows.
    ///
    /// The corresponding C function is `tzset(3)`.
    init(_ identifier: String) {
        previous = environmentVariable("TZ")
        Self.select(":\(identifier)")
    }

    deinit { Self.select(previous) }

    /// The offset in seconds, positive east of UTC. The corresponding C function is `localtime_r(3)`.
    func offset(at second: Int) -> Int {
        var time = time_t(second)
        var parts = tm()
        // `localtime_r` fails only for years beyond 2^31.
        localtime_r(&time, &parts)
        return parts.tm_gmtoff
    }

    /// The changes of the offset after `first`: the second from which each applies, and the new offset.
    ///
    /// The search compares the offsets of consecutive days: since standard time was introduced, no zone has changed its
    /// offset twice within three days.
    func changes(from first: Int, through last: Int) -> [(start: Int, offset: Int)] {
        var changes: [(start: Int, offset: Int)] = []
        var known = (start: first, offset: offset(at: first))
        while known.start < last {
            let next = min(known.start + Self.day, last)
            if offset(at: next) == known.offset {
                known.start = next
            } else {
                let start = end(of: known.offset, after: known.start, notAfter: next)
                known = (start, offset(at: start))
                changes.append(known)
            }
        }
        return changes
    }

    /// Finds, by bisection, the second at which the offset that applies at `before` ends.
    private func end(of offset: Int, after before: Int, notAfter: Int) -> Int {
        var (held, gone) = (before, notAfter)
        while gone - held > 1 {
            let middle = held + (gone - held) / 2
            if self.offset(at: middle) == offset { held = middle } else { gone = middle }
        }
        return gone
    }

    private static func select(_ zone: String?) {
        if let zone { setenv("TZ", zone, 1) } else { unsetenv("TZ") }
        tzset()
    }
}
