import CounterModel
import CounterStore
public import System
import TimerModel

/// The timers of the session's journal: what is due, and what a user does with them.
public final class SessionTimers {
    /// A signal that is later than this is not given any more: the machine slept. In microseconds.
    private static let latest: Int64 = 5_000_000

    private let service: TimerService<SQLiteJournal>
    private var schedule = AlarmSchedule()
    /// Only there once a timer has run.
    private var clock: WallClockTimer?
    /// Until when signals were given.
    private var checked: Timestamp
    private var isDue = true
    /// Whether an end is not acknowledged; as of the last `receive`.
    private(set) var isRinging = false

    /// The preset of which a timer starts with the first count.
    private var prepared: TimerPreset?

    /// How long both keys are held, after they have acknowledged an end, until they start the timer again.
    static let againAfter = Duration.seconds(1)
    /// What both keys have acknowledged while they are still down.
    private var acknowledged: [UniqueId] = []
    /// Why a prepared timer could not be started.
    private var notice: String?

    /// Reads the timers.
    ///
    /// - Throws: `JournalError`
    init(_ journal: SQLiteJournal, _ settings: TimerSettings) throws(JournalError) {
        service = TimerService(journal, userId: LoginName.current, settings: settings)
        checked = WallClock().now
        try service.update()
    }

    /// The timers and presets.
    var board: TimerBoard { service.board }

    /// Adds the descriptor to wait for, while a timer runs or rings.
    func watch(_ polled: inout PollSet) {
        if let clock { polled.add(clock.number) }
    }

    /// Another program has changed the journal. Where that cannot be read, the next change does.
    func journalChanged() {
        try? service.update()
        isDue = true
    }

    /// What is due: alerts, signals, and noticing that the clock was set. Only `CountingSession.receiveTimers` calls it.
    func receive() -> [SessionEvent] {
        let event = clock?.take()
        guard isDue || event != nil else { return [] }
        isDue = false
        let now = WallClock().now
        if event == .clockSet { try? service.followClock(at: TimerMoment(present: now)) }
        let signals = signals(until: now)
        let ringing = board.ringing(at: now)
        isRinging = !ringing.isEmpty
        let alerts = schedule.update(ringing, at: now).compactMap { alert in
            board.timer(alert.timerId).map { SessionEvent.alarm(alert, $0) }
        }
        arm(at: now)
        defer { notice = nil }
        return [.timersChanged] + signals + alerts + [notice.map(SessionEvent.notice)].compactMap(\.self)
    }

    private func signals(until now: Timestamp) -> [SessionEvent] {
        defer { checked = now }
        // The clock was set back.
        guard checked < now else { return [] }
        return board.timers(at: now).flatMap { timer in
            timer.signals(after: checked).filter {
                $0.time <= now && ($0.kind == .ended || now.microseconds - $0.time.microseconds < Self.latest)
            }.map { .timerSignal($0, timer) }
        }
    }

    private func arm(at now: Timestamp) {
        let moments = board.running(at: now).flatMap { $0.signals(after: now).prefix(1).map(\.time) }
        let next = (moments + [schedule.next].compactMap(\.self)).min()
        if next == nil, clock == nil { return }
        do throws(SystemCallError) {
            if clock == nil { clock = try WallClockTimer() }
            try clock?.arm(next?.microseconds)
        } catch { isDue = true }
    }

    // MARK: - What users do

    /// Lets a timer of a preset start with the first count.
    ///
    /// - Throws: `Failure` (66) where there is no such preset.
    public func prepare(_ name: String) throws(Failure) {
        prepared = try board.preset(named: name).orFailure()
    }

    /// Starts the timer that waits for the first count, at the count's time.
    func startPrepared(at time: Timestamp) {
        guard let preset = prepared else { return }
        isDue = true
        do {
            let moment = TimerMoment(now: time, clock: .ofThisMachine)
            _ = try service.start(preset.setup, presetId: preset.id, at: moment).orFailure()
            prepared = nil
        } catch {
            // A journal that is locked: the next count starts it.
            if error is Failure { prepared = nil }
            notice = Failure(error).sentence
        }
    }

    /// Other settings apply from now on.
    func apply(_ settings: TimerSettings) { service.settings = settings }

    /// Does something with the timers.
    ///
    /// - Throws: `Failure` where it is refused; `JournalError`
    func change<T>(
        _ body: (TimerService<SQLiteJournal>, TimerMoment) throws -> Result<T, TimerRefusal>
    ) throws -> T {
        defer { isDue = true }
        return try body(service, TimerMoment(present: WallClock().now)).orFailure()
    }

    /// Acknowledges all ends; where both keys do, they start those timers again if they stay down.
    ///
    /// - Throws: `JournalError`
    func acknowledgeAll(byKeys: Bool = false) throws(JournalError) {
        isDue = true
        let moment = TimerMoment(present: WallClock().now)
        acknowledged = byKeys ? board.ringing(at: moment.now).map(\.id) : []
        _ = try service.acknowledgeAll(at: moment)
    }

    /// Starts the timers again that both keys have acknowledged and are held since.
    ///
    /// - Throws: `Failure` where it is refused; `JournalError`
    func startAcknowledgedAgain() throws {
        let again = acknowledged
        acknowledged = []
        for id in again { _ = try change { try $0.perform(.again, on: id, at: $1) } }
    }

    /// Both keys are up.
    func forgetAcknowledged() { acknowledged = [] }
}
