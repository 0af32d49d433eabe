package import CounterModel
import CounterStore
import Glibc
package import Linux

/// Converts stamps of the monotonic clock to wall-clock times. Nothing else does.
package struct WallClock {
    private let monotonic = Clock.monotonic.microseconds
    private let realtime: Int64

    /// Reads both clocks. A time outside the journal's range becomes the nearest one inside it.
    package init() {
        let times = Timestamp.journalTimes
        let now = Timestamp(microseconds: Clock.realtime.microseconds)
        realtime = min(max(now, times.lowerBound), times.upperBound).microseconds
    }

    /// Refuses to count while the clock is outside the journal's range of times. Throws `ProgramError` (69).
    package static func requireCredible() throws(ProgramError) {
        guard !Timestamp.journalTimes.contains(Timestamp(microseconds: Clock.realtime.microseconds)) else {
            return
        }
        throw ProgramError(
            "this machine's clock is not in the years 0 to 9999",
            remedy: "Set it right: timedatectl, or date --set.",
            status: EX_UNAVAILABLE)
    }

    package var now: Timestamp { Timestamp(microseconds: realtime) }

    /// The time of day of a stamp: realtime now − (monotonic now − stamp).
    package func timestamp(of stamp: MonotonicTime) -> Timestamp {
        Timestamp(microseconds: realtime - (monotonic - stamp.microseconds))
    }
}

/// A clock that was wrong: has rows moved that it has timed, and knows on which a user is to decide.
struct SessionClock {
    private static let pauses = Duration.seconds(10)...(.seconds(600))

    /// The rows on which a user is to decide, because the clock that has timed them was set by hand.
    private(set) var mistimed: MistimedRows?
    /// When to look whether the clock that was set is synchronised after all, and how long to wait then.
    private var check: (at: MonotonicTime, pause: Duration)?
    private let journal: SQLiteJournal

    init(_ journal: SQLiteJournal) throws(JournalError) {
        self.journal = journal
        try journal.followClock(now: WallClock().now)
        if journal.role == .admin, try journal.mistimedRows() != nil {
            check = (.now, Self.pauses.lowerBound)
        }
    }

    var deadline: MonotonicTime? { check?.at }

    /// Has rows moved. Where a user is to decide about them, that is said only after a pause: a program that sets the clock by NTP
    /// may say that it is synchronised some seconds later.
    mutating func follow(at now: MonotonicTime) -> [SessionEvent] {
        guard journal.role == .admin else { return [] }
        check = (now + Self.pauses.lowerBound, Self.pauses.lowerBound)
        do throws(JournalError) {
            try journal.followClock(now: WallClock().now)
            if try journal.mistimedRows() == nil { (mistimed, check) = (nil, nil) }
            return takeMoved()
        } catch { return error.reason == .busy ? [] : [.notice("\(error)")] }
    }

    /// What was moved, by others too. Says once that a user is to decide, and looks again ever less often; later the next count does.
    mutating func receive(at now: MonotonicTime) -> [SessionEvent] {
        guard let (due, pause) = check, now >= due else { return takeMoved() }
        let events = follow(at: now)
        guard check != nil, let rows = try? journal.mistimedRows() else { return events }
        check = pause * 2 > Self.pauses.upperBound ? nil : (now + pause * 2, pause * 2)
        if rows == mistimed { return events }
        mistimed = rows
        return events + [.refused(rows.doubt, remedy: MistimedRows.remedy)]
    }

    private func takeMoved() -> [SessionEvent] {
        journal.takeMovedRows().map { [.changedElsewhere, .done($0.moved)] } ?? []
    }
}
