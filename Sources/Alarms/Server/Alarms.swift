import CounterModel
import CounterStore
import Glibc
import Linux

/// The timers of a journal as far as they ring, followed while other programs change them.
final class Alarms {
    /// How long a read or an acknowledgement may wait for another program, in seconds.
    private static let busyTimeout = 0.5

    private static let soon = Duration.milliseconds(300)

    private let service: TimerService<SQLiteJournal>
    private let follower: JournalFollower
    private let clock: WallClockTimer
    private let directory: String
    private let place: RingerPlace
    /// The journal was removed: nothing rings any more, and nobody could acknowledge it.
    private var isGone = false
    private var schedule = AlarmSchedule()
    private var isDue = true
    /// Those that ring and are not silent, in the order of their ends.
    private(set) var ringing: [TimerData] = []

    /// Opens the journal; to read where it cannot be written to.
    ///
    /// - Throws: `JournalError`, `SystemCallError`
    init(journal directory: String, at place: RingerPlace) throws {
        self.directory = directory
        self.place = place
        let journal: SQLiteJournal
        do throws(JournalError) {
            journal = try SQLiteJournal(
                directory: directory, timezone: "UTC", creating: false, allowsNetwork: true,
                busyTimeout: Self.busyTimeout)
        } catch {
            journal = try SQLiteJournal(
                directory: directory, timezone: "UTC", creating: false, isReadOnly: true, allowsNetwork: true,
                busyTimeout: Self.busyTimeout)
        }
        follower = try JournalFollower(journal, directory: directory)
        clock = try WallClockTimer()
        service = TimerService(journal, userId: LoginName.current)
    }

    private static var now: Timestamp { Timestamp(microseconds: Clock.realtime.microseconds) }

    /// The journal is to be read again.
    func journalChanged() { isDue = true }

    func watch(_ polled: inout PollSet) {
        polled.add(follower.number)
        polled.add(clock.number)
    }

    /// When to call `update` though nothing happened. Alerts and ends report at the descriptor of the wall clock.
    var deadline: MonotonicTime? { follower.deadline }

    /// The earliest end that was still to come when the timers were looked at last: one that is past since is not lost.
    var nextEnd: Timestamp? { isGone ? nil : board.nextEnd(at: updatedAt) }
    private var updatedAt = now

    private var board: TimerBoard { service.board(at: TimerMoment(present: Self.now)) }

    /// An end is so near that a unit of the service manager may be armed too late for it; one that is past never fires.
    var endsSoon: Bool {
        nextEnd.map { $0 - Self.now < Self.soon } ?? false
    }

    /// An alert of what rings is still to come.
    var hasAlerts: Bool { schedule.next != nil }

    /// Reads what other programs have done.
    ///
    /// - Returns: the alerts that are due, in the order of the ends.
    func update() -> [AlarmAlert] {
        // inotify(7) tells that the directory is removed.
        isGone = RingerPlace.name(of: directory) != place.name
        _ = clock.take()
        if follower.hasChanged(at: .now) { isDue = true }
        if isDue { isDue = (try? service.update()) == nil }
        let now = Self.now
        updatedAt = now
        // Where no counter runs, nobody else notices a clock that was set.
        try? service.followClock(at: TimerMoment(present: now))
        let board = board
        ringing = isGone ? [] : board.alarms(at: now)
        let alerts = schedule.update(ringing, at: now)
        // timerfd_settime(2) fails only for arguments that this call never has.
        try? clock.arm([schedule.next, nextEnd].compactMap(\.self).min()?.microseconds)
        return alerts
    }

    /// Acknowledges all ends. Where that fails, the alarm goes on.
    func acknowledge() { _ = try? service.acknowledgeAll(at: TimerMoment(present: Self.now)) }

    /// Starts the timer again that has ended last, and acknowledges the others.
    func startAgain() {
        if let last = ringing.last {
            _ = try? service.perform(.again, on: last.id, at: TimerMoment(present: Self.now))
        }
        acknowledge()
    }
}

extension AlarmNotification {
    /// The notification of timers that ring, in the order of their ends; the last one leads. The insistence, 1...3, is as many clocks.
    init?(_ timers: [TimerData], insistence: Int) {
        guard let last = timers.last else { return nil }
        summary = String(repeating: "⏰", count: insistence) + " " + last.setup.title
        let others = timers.dropLast().map(\.setup.title)
        let end = last.endDate.map { "ended at \($0.localMinute)" } ?? "ended"
        body = ([end] + others.map { "also: \($0.filter { !"<>&".contains($0) })" }).joined(separator: "\n")
        isUrgent = timers.contains { $0.setup.isUrgent }
    }
}
