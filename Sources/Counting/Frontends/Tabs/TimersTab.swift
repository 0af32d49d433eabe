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

    private let session: CountingSession
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
    /// When the time that is left changes, for the screen and the title, or how long ago an end was, or a timer leaves the list;
    /// nil in the background.
    private(set) var nextSecond: Timestamp?

    init(_ session: CountingSession) { self.session = session }

    func journalChanged() { (isOutOfDate, areResultsOutOfDate) = (true, true) }

    /// Updates what all screens show of the timers. Without timers it reads nothing.
    func updateEverywhere(_ model: inout ScreensViewModel, at now: Timestamp, isInForeground: Bool) throws {
        (nextReading, nextSecond) = (nil, nil)
        let board = session.timers.board
        guard !board.all.isEmpty else { return }
        let needsAll = model.tab == .timers
        if isOutOfDate && pace.next <= .now || needsAll && !hasAll {
            try read(board, all: needsAll, at: now)
        }
        if isOutOfDate { nextReading = pace.next }
        let cards = board.timers(at: now).map { card($0, at: now) }
        // The result of one that has left the list by itself is listed from now on.
        if cards.count != model.timers.cards.count { areResultsOutOfDate = true }
        let ringing = board.ringing(at: now)
        model.count.alarm =
            ringing.isEmpty ? nil : ringing.map { card($0, at: now).alarm }.joined(separator: ", ")
        model.count.timers = cards.filter { $0.left != nil }.map(\.brief)
        model.timers.cards = cards
        let first = board.running(at: now).min { ($0.endDate ?? now) < ($1.endDate ?? now) }
        model.count.timeLeft = isInForeground ? first.map { Self.roughly($0.remainingSeconds(at: now)) } : nil
        guard isInForeground else { return }
        nextSecond = [
            first.flatMap { tick($0, on: model.tab, at: now) },
            ringing.compactMap(\.endDate).map { TimerCard.agoChanges($0, after: now) }.min(),
            needsAll ? board.timers(at: now).compactMap(\.leavesAt).min() : nil,
        ].compactMap(\.self).min()
    }

    /// When the seconds of a timer change next; on a screen that shows only the title, when that changes.
    private func tick(_ timer: TimerData, on tab: ScreensViewModel.Tab, at now: Timestamp) -> Timestamp? {
        guard let end = timer.endDate else { return nil }
        let left = end.microseconds - now.microseconds
        let isShown = tab == .count || tab == .timers || left <= 60_000_000
        let unit: Int64 = isShown ? 1_000_000 : 60_000_000
        return Timestamp(microseconds: end.microseconds - (left - 1) / unit * unit)
    }

    /// `4 min`, and seconds in the last one.
    private static func roughly(_ seconds: Int) -> String {
        seconds > 60 ? "\((seconds + 59) / 60) min" : "\(seconds) s"
    }

    private func card(_ timer: TimerData, at now: Timestamp) -> TimerCard {
        TimerCard(timer, results[timer.id] ?? TimerResult([], []), at: now, locations: session.locations)
    }

    /// What a timer has counted: `12 in, 3 out`; empty where that cannot be read.
    func result(of timer: TimerData) -> String {
        let now = WallClock().now
        // A notification without the result is better than none.
        guard let result = try? session.journal.result(of: timer, at: now) else { return "" }
        return TimerCard(timer, result, at: now, locations: session.locations).result
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

    func update(_ model: inout ScreensViewModel, at now: Timestamp, isInForeground: Bool) throws {
        model.timers.mayChange = session.role == .admin
        model.timers.preferences = session.preferences.lines
        model.timers.settings = session.preferences.timers
        model.timers.removedPreset = removedPreset.flatMap {
            session.timers.board.preset($0)?.isHiddenInList == true ? $0 : nil
        }
        guard areResultsOutOfDate else { return }
        let board = session.timers.board
        model.timers.presets = board.presets.map { PresetCard($0, locations: session.locations) }
        let range = Timestamp(seconds: now.seconds - Self.listed)..<now
        model.timers.results = try board.timers(startedIn: range).filter { !$0.isListed(at: now) }
            .suffix(Self.mostResults).reversed()
            .map {
                TimerResultLine($0, try session.journal.result(of: $0, at: now), locations: session.locations)
            }
        areResultsOutOfDate = false
    }

    // MARK: - Intents

    /// Carries out the intents of this screen. An error appears in the open field, else as a notice.
    func carryOut(_ intent: TimersIntent, _ model: inout ScreensViewModel) -> [SessionEvent] {
        if session.role == .viewer { return [.refused(CountingSession.viewerNotice)] }
        do {
            try make(intent)
            model.closeField()
            return session.receiveTimers()
        } catch {
            let reason = (error as? JournalError).map { ProgramError($0.reason) } ?? ProgramError(error)
            return model.refuseField(reason.sentence) ? [] : [.refused(reason.sentence)]
        }
    }

    private func make(_ intent: TimersIntent) throws {
        let timers = session.timers
        switch intent {
        case .perform(let action, let id):
            _ = try timers.change { try $0.perform(action, on: id, at: $1) }
        case .extend(let id): _ = try timers.change { try $0.extend(id, seconds: 60, at: $1) }
        case .keep(let id): try keep(id)
        case .startPreset(let id):
            guard let preset = timers.board.preset(id) else { return }
            _ = try timers.change { try $0.start(preset.setup, presetId: id, at: $1) }
        case .hidePreset(let id):
            _ = try timers.change { try $0.hidePreset(id, at: $1) }
            removedPreset = id
        case .restorePreset(let id): _ = try timers.change { try $0.restorePreset(id, at: $1) }
        case .submit(let draft): try submit(draft)
        case .acknowledge: try timers.acknowledgeAll()
        case .set(let preference, let text): try session.set(preference, to: text)
        // The view model has handled these.
        case .choose, .edit, .type: break
        }
    }

    private func keep(_ id: UniqueId) throws {
        guard var setup = session.timers.board.timer(id)?.setup else { return }
        setup.endAction = .preserve
        _ = try session.timers.change { [setup] in try $0.addPreset(setup, at: $1) }
    }

    private func submit(_ draft: TimerDraft) throws {
        if let id = draft.presetId {
            _ = try session.timers.change { try $0.editPreset(id, to: draft.setup, at: $1) }
        } else {
            _ = try session.timers.change { try $0.start(draft.setup, at: $1) }
        }
    }
}
