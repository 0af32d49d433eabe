import Glibc

/// The process' local zone is another one for as long as this lives. Times are seconds since 1970, UTC.
struct BorrowedZone: ~Copyable {
    private static let day = 86_400

    private let previous: String?

    /// Makes a zone of the database the local one. The colon is for glibc: what follows it is a file's name.
    ///
    /// The corresponding C function is `tzset(3)`.
    init(_ identifier: String) {
        previous = getenv("TZ").map { String(cString: $0) }
        Self.select(":\(identifier)")
    }

    deinit { Self.select(previous) }

    /// Seconds that its clocks are ahead of UTC. The corresponding C function is `localtime_r(3)`.
    func offset(at second: Int) -> Int {
        var time = time_t(second)
        var parts = tm()
        // It fails for years beyond 2^31 only.
        localtime_r(&time, &parts)
        return parts.tm_gmtoff
    }

    /// The seconds after `first` from which on another offset holds, and that offset.
    ///
    /// Found by looking once a day: since the days of railways, no zone has changed twice within three.
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

    /// By bisection: the second at which an offset that holds at `before` holds no more.
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
