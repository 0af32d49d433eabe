import CounterModel
import CounterStore
import CounterTUI
import Linux
import Reports

/// Behind the Timers screen, the line of the running timers on Count, and the line of an alarm on every screen.
final class TimersTab: TabFeed {
    /// How long results are listed, in seconds.
    private static let listed = 7 * 86_400
    private static let mostResults = 50

    private let context: TabContext
    private var results: [UniqueId: TimerResult] = [:]
    /// The preset that was taken off the list last.
    private var removedPreset: UniqueId?
    private var isOutOfDate = true
    /// A window may be long: on each count all its entries would be read.
    private var pace = ReadingPace(at: .now)
    private var areResultsOutOfDate = true
    /// Whether the results of all timers in the list were read.
    private var hasAll = false
    /// When the results are to be read; nil where that is not due.
    private(set) var nextReading: MonotonicTime?
    /// When the time that is left or the time since an end changes, or a timer leaves the list; nil in the background.
    private(set) var nextSecond: Timestamp?

    init(_ context: TabContext) { self.context = context }

    private var session: CountingSession { context.session }

    func journalChanged() { (isOutOfDate, areResultsOutOfDate) = (true, true) }

    /// Updates what all screens show of the timers. Without timers it reads nothing.
    func updateEverywhere(at now: Timestamp, isInForeground: Bool) throws {
        let screens = context.screens
        (nextReading, nextSecond) = (nil, nil)
        let board = session.timers.board
        guard !board.all.isEmpty else { return }
        let needsAll = screens.tab == .timers
        if isOutOfDate && pace.next <= .now || needsAll && !hasAll {
            try read(board, all: needsAll, at: now)
        }
        if isOutOfDate { nextReading = pace.next }
        let cards = board.timers(at: now).map { card($0, at: now) }
        // One that has ended or left the list by itself needs no row.
        if cards.map(\.state) != screens.timers.cards.map(\.state) { areResultsOutOfDate = true }
        let ringing = board.ringing(at: now)
        screens.count.alarm =
            ringing.isEmpty ? nil : ringing.map { card($0, at: now).alarm }.joined(separator: ", ")
        screens.count.timers = cards.filter { $0.left != nil }.map(\.brief)
        screens.timers.cards = cards
        let first = board.running(at: now).min { ($0.endDate ?? now) < ($1.endDate ?? now) }
        screens.count.timeLeft = isInForeground ? first.map { Self.timeLeft(of: $0, at: now) } : nil
        guard isInForeground else { return }
        nextSecond = [
            first.flatMap { tick($0, on: screens.tab, at: now) },
            ringing.compactMap(\.endDate).map { TimerReport.agoChanges($0, after: now) }.min(),
            needsAll ? board.timers(at: now).compactMap(\.leavesAt).min() : nil,
        ].compactMap(\.self).min()
    }

    /// When the seconds of a timer change next; on a screen that shows only the title, when that changes.
    private func tick(_ timer: TimerData, on tab: Screens.Tab, at now: Timestamp) -> Timestamp? {
        guard let end = timer.endDate else { return nil }
        let left = (end - now).microseconds
        let isShown = tab == .count || tab == .timers || left <= 60_000_000
        let unit: Int64 = isShown ? 1_000_000 : 60_000_000
        return end - .microseconds((left - 1) / unit * unit)
    }

    /// What is left of all rounds, for the title.
    private static func timeLeft(of timer: TimerData, at now: Timestamp) -> String {
        (timer.setup.rounds > 1 ? "all " : "") + DurationText.left(seconds: timer.remainingSeconds(at: now))
    }

    private func card(_ timer: TimerData, at now: Timestamp) -> TimerReport {
        TimerReport(timer, results[timer.id] ?? TimerResult([], []), at: now, locations: session.locations)
    }

    /// What a timer has counted: `12 in, 3 out`; empty where that cannot be read.
    func result(of timer: TimerData) -> String {
        // A notification without the result is better than none.
        (try? session.report(timer, at: WallClock().now))?.counted ?? ""
    }

    /// Reads the results that are shown: on other screens those of timers that count or ring.
    private func read(_ board: TimerBoard, all: Bool, at now: Timestamp) throws {
        let start = MonotonicTime.now
        defer { pace.note(from: start, to: .now) }
        results = [:]
        for timer in board.timers(at: now)
        where all || ![.stopped, .completed].contains(timer.state(at: now)) {
            results[timer.id] = try session.journal.result(of: timer, at: now)
        }
        (isOutOfDate, hasAll) = (false, all)
    }

    func update(at now: Timestamp, isInForeground: Bool) throws {
        let model = context.screens.timers
        model.mayChange = session.role == .admin
        model.preferences = session.preferences.lines
        model.usual = session.preferences.timers.usual
        model.removedPreset = removedPreset.flatMap {
            session.timers.board.preset($0)?.isHiddenInList == true ? $0 : nil
        }
        guard areResultsOutOfDate else { return }
        let board = session.timers.board
        model.presets = board.presets.map { PresetReport($0, locations: session.locations) }
        let range = Timestamp(seconds: now.seconds - Self.listed)..<now
        model.results = try board.timers(startedIn: range)
            .filter { !$0.state(at: now).isActive }.suffix(Self.mostResults).reversed()
            .map { try session.report($0, at: now) }
        areResultsOutOfDate = false
    }
}

// MARK: - What keys do

extension TimersTab: TimersActions {
    func perform(_ action: TimerAction, on id: UniqueId) {
        change { _ = try $0.perform(action, on: id, at: $1) }
    }

    func extend(_ id: UniqueId) { change { _ = try $0.extend(id, seconds: 60, at: $1) } }

    func keep(_ id: UniqueId) {
        guard var setup = session.timers.board.timer(id)?.setup else { return }
        setup.endAction = .preserve
        change { _ = try $0.addPreset(setup, at: $1) }
    }

    func startPreset(_ id: UniqueId) {
        guard let preset = session.timers.board.preset(id) else { return }
        change { _ = try $0.start(preset.setup, presetId: id, at: $1) }
    }

    func hidePreset(_ id: UniqueId) {
        change {
            _ = try $0.hidePreset(id, at: $1)
            removedPreset = id
        }
    }

    func restorePreset(_ id: UniqueId) { change { _ = try $0.restorePreset(id, at: $1) } }

    func submit(_ draft: TimerDraft) {
        change {
            if let id = draft.presetId {
                _ = try $0.editPreset(id, to: draft.setup, at: $1)
            } else {
                _ = try $0.start(draft.setup, at: $1)
            }
        }
    }

    func set(_ preference: Preference, to text: String) {
        carryOut { _ in try session.set(preference, to: text) }
    }

    private func change(_ body: (TimerService<SQLiteJournal>, TimerMoment) throws -> Void) {
        carryOut { try $0.change(body) }
    }

    private func carryOut(_ body: (SessionTimers) throws -> Void) {
        context.carryOut {
            do { try body(session.timers) } catch let refusal as TimerRefusal {
                throw ProgramError(
                    "\(refusal)", remedy: context.screens.timers.remedy(of: refusal),
                    status: refusal.failure.status)
            }
            return session.receiveTimers()
        }
    }
}
