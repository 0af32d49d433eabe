import Glibc
package import Linux

/// What users do with timers and presets: the rules, with the time as an argument.
///
/// Each call decides on the present rows of the repository, within the transaction that appends: two programs never start a
/// sixth timer between them, and the first acknowledgement wins. What is not done is thrown as a `TimerRefusal`.
package final class TimerService<Repository: TimerRepository> {
    private let repository: Repository
    private let userId: String
    /// Whose limits apply.
    package var settings: TimerSettings
    private var board = TimerBoard()

    package init(_ repository: Repository, userId: String, settings: TimerSettings = TimerSettings()) {
        (self.repository, self.userId, self.settings) = (repository, userId, settings)
    }

    /// The timers and presets as of the last call, at a moment.
    package func board(at moment: TimerMoment) -> TimerBoard { board.seen(at: moment) }

    package func update() throws(Repository.Failure) { try repository.update(&board) }

    /// Starts a timer; `presetId` is the preset that the setup is from.
    package func start(
        _ setup: TimerSetup, presetId: UniqueId? = nil, at moment: TimerMoment
    ) throws -> TimerData {
        let id = UniqueId()
        return try change(at: moment, result: { $0.timer(id) }) { board throws(TimerRefusal) in
            try board.admit(setup, settings, at: moment.now)
            return [.started(id, setup, presetId: presetId)]
        }
    }

    /// Does something with a timer, and returns it; where it was started again, the new one. An acknowledgement that comes second
    /// is no error. `name` is what the user calls it.
    package func perform(
        _ action: TimerAction, on id: UniqueId, called name: String? = nil, at moment: TimerMoment
    ) throws -> TimerData {
        let new = UniqueId()
        return try change(at: moment, result: { $0.timer(action == .again ? new : id) }) {
            board throws(TimerRefusal) in
            let timer = try board.listed(id, called: name, at: moment.now)
            let state = timer.state(at: moment.now)
            if action == .acknowledge, state == .completed { return [] }
            guard state.admits(action) else { throw .notPossible(action, state, number: timer.number) }
            guard action == .again else { return [.action(id, action)] }
            try board.admit(timer.setup, settings, at: moment.now)
            return [.started(new, timer.setup, presetId: timer.presetId, replacing: id)]
        }
    }

    /// Acknowledges all ends that nobody has acknowledged, and returns how many there were.
    package func acknowledgeAll(at moment: TimerMoment) throws(Repository.Failure) -> Int {
        var count = 0
        _ = try repository.change(&board, by: userId, at: moment) { board in
            let ringing = board.ringing(at: moment.now)
            count = ringing.count
            return .success(ringing.map { .action($0.id, .acknowledge) })
        }
        return count
    }

    /// Makes the present part of a running or paused timer longer.
    package func extend(_ id: UniqueId, seconds: Int, at moment: TimerMoment) throws -> TimerData {
        try change(at: moment, result: { $0.timer(id) }) { board throws(TimerRefusal) in
            let timer = try board.listed(id, called: nil, at: moment.now)
            let state = timer.state(at: moment.now)
            guard state.isActive else { throw .notExtensible(state, number: timer.number) }
            guard TimerDuration.admits(timer.phase(at: moment.now).phase.seconds + seconds) else {
                throw .tooLong(number: timer.number)
            }
            return [.extended(id, seconds: seconds)]
        }
    }

    /// Notes that the wall clock was set, if it was and there are timers, and what tells of its next setting.
    package func followClock(at moment: TimerMoment) throws(Repository.Failure) {
        guard board.isBehind(moment.clock) || board.needsReference(moment.clock, at: moment.now) else {
            return
        }
        _ = try repository.change(&board, by: userId, at: moment) { _ in .success([]) }
    }

    private func change<Value>(
        at moment: TimerMoment, result: (TimerBoard) -> Value?,
        decide: (TimerBoard) throws(TimerRefusal) -> [TimerEvent]
    ) throws -> Value {
        let refusal = try repository.change(&board, by: userId, at: moment) { board in
            Result { () throws(TimerRefusal) in try decide(board) }
        }
        if let refusal { throw refusal }
        guard let value = result(board) else { throw TimerRefusal.unknownTimer("") }
        return value
    }
}

// MARK: - Presets

extension TimerService {
    package func addPreset(_ setup: TimerSetup, at moment: TimerMoment) throws -> TimerPreset {
        let id = UniqueId()
        return try changePreset(id, at: moment) { board throws(TimerRefusal) in
            try board.admit(newPreset: setup, most: settings.mostPresets)
            return .presetSaved(id, setup)
        }
    }

    /// Changes a preset. Timers that run keep what they were started with.
    package func editPreset(
        _ id: UniqueId, to setup: TimerSetup, at moment: TimerMoment
    ) throws -> TimerPreset {
        try changePreset(id, at: moment) { board throws(TimerRefusal) in
            try board.admit(preset: setup, besides: id)
            return .presetSaved(id, setup)
        }
    }

    package func hidePreset(_ id: UniqueId, at moment: TimerMoment) throws -> TimerPreset {
        try changePreset(id, at: moment) { board throws(TimerRefusal) in
            _ = try board.preset(id, isHidden: false)
            return .presetHidden(id)
        }
    }

    package func restorePreset(_ id: UniqueId, at moment: TimerMoment) throws -> TimerPreset {
        try changePreset(id, at: moment) { board throws(TimerRefusal) in
            let preset = try board.preset(id, isHidden: true)
            try board.admit(newPreset: preset.setup, most: settings.mostPresets)
            return .presetRestored(id)
        }
    }

    private func changePreset(
        _ id: UniqueId, at moment: TimerMoment, decide: (TimerBoard) throws(TimerRefusal) -> TimerEvent
    ) throws -> TimerPreset {
        try change(at: moment, result: { $0.preset(id) }) { board throws(TimerRefusal) in [try decide(board)]
        }
    }
}

// MARK: - Refusals

extension TimerBoard {
    /// Requires that a timer may be started.
    package func admit(
        _ setup: TimerSetup, _ settings: TimerSettings, at now: Timestamp
    ) throws(TimerRefusal) {
        let active = active(at: now)
        if active.count >= settings.mostTimers { throw .tooManyTimers(active.map(\.setup.title)) }
        guard setup.fitsRow else { throw .invalidSetup }
    }

    /// A timer, which may have left the list since the caller saw it.
    fileprivate func listed(
        _ id: UniqueId, called name: String?, at now: Timestamp
    ) throws(TimerRefusal) -> TimerData {
        guard let timer = self.timer(id), timer.isListed(at: now) else {
            throw .timerIsGone(name ?? self.timer(id)?.setup.title ?? id.description)
        }
        return timer
    }

    /// A preset, which may have been removed or restored since the caller saw it.
    fileprivate func preset(_ id: UniqueId, isHidden: Bool) throws(TimerRefusal) -> TimerPreset {
        guard let preset = self.preset(id), preset.isHiddenInList == isHidden else {
            throw .presetIsGone(self.preset(id)?.setup.title ?? id.description)
        }
        return preset
    }

    fileprivate func admit(newPreset setup: TimerSetup, most: Int) throws(TimerRefusal) {
        let presets = presets
        if presets.count >= most { throw .tooManyPresets(presets.map(\.setup.title)) }
        try admit(preset: setup, besides: nil)
    }

    fileprivate func admit(preset setup: TimerSetup, besides id: UniqueId?) throws(TimerRefusal) {
        if let id, preset(id)?.isHiddenInList != false { throw .presetIsGone(setup.title) }
        if presets.contains(where: { $0.id != id && $0.setup.title.isCalled(setup.title) }) {
            throw .presetExists(setup.title)
        }
        guard setup.fitsRow else { throw .invalidSetup }
    }
}

extension TimerSetup {
    /// The bytes of a row beside its setup: ids and the clock.
    private static let reserved = 256

    /// Whether its values are in their ranges, and a row has room for its locations.
    fileprivate var fitsRow: Bool {
        let content = TimerRowContent(.presetSaved(UniqueId(), self), clock: nil)
        return isValid && content.text.utf8.count <= TimerRowContent.longest - Self.reserved
    }
}

/// Why something is not done with a timer or a preset.
package enum TimerRefusal: ExplainedError, Hashable, Sendable {
    /// With the titles of those that there are.
    case tooManyTimers([String]), tooManyPresets([String])
    case unknownTimer(String, among: [String] = [])
    case unknownPreset(String, among: [String] = [])
    /// It was started again, removed or restored since the caller saw it.
    case timerIsGone(String), presetIsGone(String)
    /// Several timers in the list have that label; their numbers.
    case ambiguousTimer(String, [Int])
    case presetExists(String)
    case notPossible(TimerAction, TimerState, number: Int)
    /// The timer does not run and is not paused, so that it cannot be made longer.
    case notExtensible(TimerState, number: Int)
    /// A part of the timer would be longer than a timer may be.
    case tooLong(number: Int)
    /// A value of the setup is out of its range, or there are too many locations.
    case invalidSetup
}

extension TimerRefusal: CustomStringConvertible {
    package var description: String { failure.message }

    /// The refusal in words, with what can be done about it on the command line.
    package var failure: ProgramError {
        let (message, remedy, status): (String, String?, CInt) =
            switch self {
            case .tooManyTimers(let titles):
                (
                    (titles.count == 1 ? "1 timer is" : "\(titles.count) timers are")
                        + " running or paused, as many as may: \(titles.joined(separator: ", "))",
                    "Stop one:\ncounter timer stop N", EX_UNAVAILABLE
                )
            case .tooManyPresets(let titles):
                (
                    (titles.count == 1 ? "there is 1 preset" : "there are \(titles.count) presets")
                        + ", as many as may be: \(titles.joined(separator: ", "))",
                    "Remove one:\ncounter timer preset remove N", EX_UNAVAILABLE
                )
            case .unknownTimer(let name, let titles):
                ("there is no timer '\(name)'", titles.suggestion(for: name) + Self.listTimers, EX_NOINPUT)
            case .unknownPreset(let name, let titles):
                ("there is no preset '\(name)'", titles.suggestion(for: name) + Self.listPresets, EX_NOINPUT)
            case .timerIsGone(let name):
                ("timer '\(name)' was started again or removed meanwhile", Self.listTimers, EX_NOINPUT)
            case .presetIsGone(let name):
                ("preset '\(name)' was removed or restored meanwhile", Self.listPresets, EX_NOINPUT)
            case .ambiguousTimer(let label, let numbers):
                (
                    "several timers are called '\(label)': \(numbers.map(String.init).joined(separator: ", "))",
                    "Name it by its number.", EX_USAGE
                )
            case .presetExists(let title):
                (
                    "there is a preset '\(title)' already",
                    "Give it another label, or edit that one: counter timer preset edit.", EX_DATAERR
                )
            case .notPossible(let action, let state, let number):
                (
                    "timer \(number) is \(state.words): it cannot be \(action.words)",
                    action == .remove && state.isActive
                        ? "Stop it first: counter timer stop \(number)." : nil, EX_UNAVAILABLE
                )
            case .notExtensible(let state, let number):
                ("timer \(number) is \(state.words): it cannot be made longer", nil, EX_UNAVAILABLE)
            case .tooLong(let number):
                ("timer \(number) cannot be made longer: \(TimerDuration.text)", nil, EX_UNAVAILABLE)
            case .invalidSetup:
                (
                    TimerDuration.text + ", has 1 to \(TimerSetup.mostRounds) rounds, "
                        + "and counts in all locations or in not too many", nil, EX_USAGE
                )
            }
        return ProgramError(message, remedy: remedy, status: status)
    }

    private static let listTimers = "List them: counter timer list."
    private static let listPresets = "List them: counter timer preset list."
}

extension TimerState {
    package var words: String {
        switch self {
        case .running: "running"
        case .paused: "paused"
        case .stopped: "stopped"
        case .ringing: "over and not acknowledged"
        case .completed: "over"
        }
    }
}

/// Where the rows of timers and presets are kept: a journal.
package protocol TimerRepository: AnyObject {
    associatedtype Failure: Error

    /// Applies the rows that a board does not have yet.
    func update(_ board: inout TimerBoard) throws(Failure)

    /// Applies the rows that a board does not have yet, notes it where the clock was set, lets the caller decide, and appends
    /// what it decides, all in one transaction that is durable on return. The board has the appended rows then too. Where
    /// `decide` refuses, nothing more is appended, and its refusal is returned; where the call throws, nothing was appended.
    func change(
        _ board: inout TimerBoard, by userId: String, at moment: TimerMoment,
        decide: (TimerBoard) -> Result<[TimerEvent], TimerRefusal>
    ) throws(Failure) -> TimerRefusal?
}
