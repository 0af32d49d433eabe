package import CounterModel
import CounterStore
import Glibc
import KeyProtocol
package import Linux
import Reports
import VolumeInput

/// The timers of the session's journal: what is due, and what a user does with them.
package final class SessionTimers {
    /// A signal that is later than this is not given any more: the machine slept.
    private static let latest = Duration.seconds(5)

    private let journal: SQLiteJournal
    private let service: TimerService<SQLiteJournal>
    private var schedule = AlarmSchedule()
    private var ends: TimerEnds
    /// When something is due by the wall clock: an alert, a signal, an end; nil where no timer runs or rings.
    private(set) var next: Timestamp?
    /// Until when signals were given.
    private var checked: Timestamp
    private var isDue = true
    /// Whether the journal is to be read, and whether a clock that was set is to be noted there.
    private var isOutOfDate = false, mustFollowClock = false
    /// When that is tried again after it failed.
    private(set) var retryAt: MonotonicTime?
    /// Whether an end is not acknowledged; as of the last `receive`.
    private(set) var isRinging = false

    private var isPrepared = false

    /// How long both keys are held, after they have acknowledged an end, until they start the timer again.
    static let againAfter = Duration.seconds(1)
    /// What both keys have acknowledged while they are still down.
    private var acknowledged: [UniqueId] = []

    init(_ journal: SQLiteJournal, _ settings: TimerSettings) throws(JournalError) {
        self.journal = journal
        service = TimerService(journal, userId: LoginName.current, settings: settings)
        checked = WallClock().now
        try service.update()
        ends = TimerEnds(service.board(at: TimerMoment(present: checked)), at: checked)
    }

    var board: TimerBoard { service.board(at: TimerMoment(present: WallClock().now)) }

    func journalChanged() { (isOutOfDate, isDue) = (true, true) }

    /// The wall clock was set. A viewer sees it too, and leaves it to others to note it.
    func clockWasSet() { (mustFollowClock, isDue) = (journal.role == .admin, true) }

    /// What is due: alerts, signals, and noting that the clock was set. Only `CountingSession.receiveTimers` calls it.
    func receive() -> [SessionEvent] {
        let start = startedPrepared()
        let now = WallClock().now
        let isTime = next.map { $0 <= now } ?? false || retryAt.map { $0 <= .now } ?? false
        guard isDue || isTime else { return [] }
        isDue = false
        bringUpToDate(at: now)
        let board = board
        let signals = signals(of: board, until: now)
        let ringing = board.ringing(at: now)
        isRinging = !ringing.isEmpty
        let alerts = schedule.update(ringing, at: now).map(SessionEvent.alarm)
        let moments = board.running(at: now).flatMap { $0.signals(after: now).prefix(1).map(\.time) }
        next = (moments + [schedule.next].compactMap(\.self)).min()
        return [.timersChanged] + signals + alerts + start
    }

    /// Reads and notes what is to be; where that fails, it is tried again in a second.
    private func bringUpToDate(at now: Timestamp) {
        retryAt = nil
        do throws(JournalError) {
            if isOutOfDate { try service.update() }
            isOutOfDate = false
            if mustFollowClock { try service.followClock(at: TimerMoment(present: now)) }
            mustFollowClock = false
        } catch { retryAt = .now + .seconds(1) }
    }

    private func signals(of board: TimerBoard, until now: Timestamp) -> [SessionEvent] {
        defer { checked = now }
        let ended = ends.take(board, since: checked, at: now).map { timer in
            SessionEvent.timerSignal(TimerSignal(kind: .ended, time: timer.endDate ?? now), timer)
        }
        // The clock was set back.
        guard checked < now else { return ended }
        return board.timers(at: now).flatMap { timer in
            timer.signals(after: checked).filter {
                $0.kind != .ended && $0.time <= now && now - $0.time < Self.latest
            }.map { .timerSignal($0, timer) }
        } + ended
    }

    /// That an alarm goes on when this program ends, and until when; nil where none does.
    package var goesOn: ProgramError? {
        let now = WallClock().now
        guard let timer = board.alarms(at: now).last, schedule.last != nil || DesktopSession.isHere else {
            return nil
        }
        let limit =
            schedule.last.map { ", or until \($0.localTime(at: now)) where no desktop shows it" } ?? ""
        return ProgramError(
            "counter-ringer goes on with the alarm of '\(timer.setup.title)' until it is acknowledged\(limit)",
            remedy: "Acknowledge it:\ncounter timer acknowledge \(timer.number)", status: EX_OK)
    }

    // MARK: - What users do

    /// Lets a timer of a preset start with the first count.
    package func prepare(_ name: String) throws(TimerRefusal) {
        let preset = try board.preset(named: name)
        journal.prepared = PreparedTimer(
            preset.setup, presetId: preset.id, userId: LoginName.current, settings: service.settings)
        isPrepared = true
    }

    /// Notices that a count has started the prepared timer, or why it has not: the journal does that in the count's transaction.
    private func startedPrepared() -> [SessionEvent] {
        guard isPrepared, journal.prepared == nil else { return [] }
        isPrepared = false
        journalChanged()
        defer { journal.refusedStart = nil }
        return journal.refusedStart.map { [.notice($0.failure.notice)] } ?? []
    }

    func apply(_ settings: TimerSettings) { service.settings = settings }

    /// Does something with the timers. Throws `TimerRefusal`, `JournalError`.
    func change(_ body: (TimerService<SQLiteJournal>, TimerMoment) throws -> Void) throws {
        defer { isDue = true }
        try body(service, TimerMoment(present: WallClock().now))
    }

    /// Acknowledges all ends; where both keys do, they start those timers again if they stay down.
    func acknowledgeAll(byKeys: Bool) throws(JournalError) {
        isDue = true
        let moment = TimerMoment(present: WallClock().now)
        acknowledged = byKeys ? board.ringing(at: moment.now).map(\.id) : []
        _ = try service.acknowledgeAll(at: moment)
    }

    /// Starts the timers again that both keys have acknowledged and are held since.
    func startAcknowledgedAgain() throws {
        let again = acknowledged
        acknowledged = []
        for id in again { try change { _ = try $0.perform(.again, on: id, at: $1) } }
    }

    func forgetAcknowledged() { acknowledged = [] }
}

extension CountingSession {
    /// A timer with what it has counted so far.
    func report(_ timer: TimerData, at now: Timestamp) throws(JournalError) -> TimerReport {
        TimerReport(timer, try journal.result(of: timer, at: now), at: now, locations: locations)
    }
}

extension Devices {
    /// The ids of the input devices whose keys a user's programs read, and of the volume keys that terminals report.
    package func keysHere(of userId: String) -> Set<Identifier> {
        keys(readBy: userId).union([NodeReport.terminal.stableID])
    }
}
