/// What users do with timers and presets: the rules, with the time as an argument.
///
/// Each call decides on the present rows of the repository, within the transaction that appends: two programs never start a
/// sixth timer between them, and the first acknowledgement wins.
package final class TimerService<Repository: TimerRepository> {
    private let repository: Repository
    private let userId: String
    /// Whose limits apply.
    package var settings: TimerSettings
    private var board = TimerBoard()

    /// Creates a service that has read nothing yet.
    package init(_ repository: Repository, userId: String, settings: TimerSettings = TimerSettings()) {
        self.repository = repository
        self.userId = userId
        self.settings = settings
    }

    /// The timers and presets as of the last call, at a moment.
    package func board(at moment: TimerMoment) -> TimerBoard { board.seen(at: moment) }

    /// Reads what other programs have done.
    package func update() throws(Repository.Failure) { try repository.update(&board) }

    /// Starts a timer; `presetId` is the preset that the setup is from.
    package func start(
        _ setup: TimerSetup, presetId: UniqueId? = nil, at moment: TimerMoment
    ) throws(Repository.Failure) -> Result<TimerData, TimerRefusal> {
        let id = UniqueId()
        return try change(at: moment, result: { $0.timer(id) }) { board in
            if let refusal = board.refusal(of: setup, settings, at: moment.now) { return .failure(refusal) }
            return .success([.started(id, setup, presetId: presetId)])
        }
    }

    /// Does something with a timer, and returns it; where it was started again, the new one. An acknowledgement that comes second
    /// is no error. `name` is what the user calls it.
    package func perform(
        _ action: TimerAction, on id: UniqueId, called name: String? = nil, at moment: TimerMoment
    ) throws(Repository.Failure) -> Result<TimerData, TimerRefusal> {
        let new = UniqueId()
        return try change(at: moment, result: { $0.timer(action == .again ? new : id) }) { board in
            guard let timer = board.timer(id), timer.isListed(at: moment.now) else {
                return .failure(board.refusal(ofGone: id, called: name))
            }
            let state = timer.state(at: moment.now)
            if action == .acknowledge, state == .completed { return .success([]) }
            guard transition(state, action) != nil else {
                return .failure(.notPossible(action, state, number: timer.number))
            }
            switch action {
            case .pause: return .success([.paused(id)])
            case .resume: return .success([.resumed(id)])
            case .stop: return .success([.stopped(id)])
            case .acknowledge: return .success([.acknowledged(id)])
            case .remove: return .success([.removed(id)])
            case .again:
                if let refusal = board.refusal(of: timer.setup, settings, at: moment.now) {
                    return .failure(refusal)
                }
                return .success([.started(new, timer.setup, presetId: timer.presetId, replacing: id)])
            }
        }
    }

    /// Acknowledges all ends that nobody has acknowledged, and returns how many there were.
    package func acknowledgeAll(at moment: TimerMoment) throws(Repository.Failure) -> Int {
        var count = 0
        _ = try repository.change(&board, by: userId, at: moment) { board in
            let ringing = board.ringing(at: moment.now)
            count = ringing.count
            return .success(ringing.map { .acknowledged($0.id) })
        }
        return count
    }

    /// Makes the present part of a running or paused timer longer.
    package func extend(
        _ id: UniqueId, seconds: Int, at moment: TimerMoment
    ) throws(Repository.Failure) -> Result<TimerData, TimerRefusal> {
        try change(at: moment, result: { $0.timer(id) }) { board in
            guard let timer = board.timer(id), timer.isListed(at: moment.now) else {
                return .failure(board.refusal(ofGone: id, called: nil))
            }
            let state = timer.state(at: moment.now)
            guard [.running, .paused].contains(state) else {
                return .failure(.notExtensible(state, number: timer.number))
            }
            guard TimerDuration.admits(timer.phase(at: moment.now).phase.seconds + seconds) else {
                return .failure(.tooLong(number: timer.number))
            }
            return .success([.extended(id, seconds: seconds)])
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
        decide: (TimerBoard) -> Result<[TimerEvent], TimerRefusal>
    ) throws(Repository.Failure) -> Result<Value, TimerRefusal> {
        let refusal = try repository.change(&board, by: userId, at: moment, decide: decide)
        return refusal.map { .failure($0) } ?? result(board).map { .success($0) }
            ?? .failure(.unknownTimer(""))
    }
}

extension TimerBoard {
    /// Why no timer may be started; nil where one may.
    package func refusal(of setup: TimerSetup, _ settings: TimerSettings, at now: Timestamp) -> TimerRefusal?
    {
        let active = active(at: now)
        if active.count >= settings.mostTimers { return .tooManyTimers(active.map(\.setup.title)) }
        return setup.fitsRow ? nil : .invalidSetup
    }

    /// Why nothing is done with a timer that has left the list since the caller saw it.
    fileprivate func refusal(ofGone id: UniqueId, called name: String?) -> TimerRefusal {
        .timerIsGone(name ?? timer(id)?.setup.title ?? id.description)
    }
}

extension TimerSetup {
    /// The bytes of a row beside its setup: ids and the clock.
    private static let reserved = 256

    /// Whether its values are in their ranges, and a row has room for its locations.
    var fitsRow: Bool {
        let content = TimerRowContent(.presetSaved(UniqueId(), self), clock: nil)
        return isValid && content.text.utf8.count <= TimerRowContent.longest - Self.reserved
    }
}

extension TimerService {
    /// Adds a preset.
    package func addPreset(
        _ setup: TimerSetup, at moment: TimerMoment
    ) throws(Repository.Failure) -> Result<TimerPreset, TimerRefusal> {
        let id = UniqueId()
        return try change(at: moment, result: { $0.preset(id) }) { board in
            if let refusal = board.refusal(ofNewPreset: setup, most: settings.mostPresets) {
                return .failure(refusal)
            }
            return .success([.presetSaved(id, setup)])
        }
    }

    /// Changes a preset. Timers that run keep what they were started with.
    package func editPreset(
        _ id: UniqueId, to setup: TimerSetup, at moment: TimerMoment
    ) throws(Repository.Failure) -> Result<TimerPreset, TimerRefusal> {
        try change(at: moment, result: { $0.preset(id) }) { board in
            if let refusal = board.refusal(ofPreset: setup, besides: id) { return .failure(refusal) }
            return .success([.presetSaved(id, setup)])
        }
    }

    /// Removes a preset from sight.
    package func hidePreset(
        _ id: UniqueId, at moment: TimerMoment
    ) throws(Repository.Failure) -> Result<TimerPreset, TimerRefusal> {
        try change(at: moment, result: { $0.preset(id) }) { board in
            board.preset(id)?.isHiddenInList == false
                ? .success([.presetHidden(id)])
                : .failure(.presetIsGone(board.preset(id)?.setup.title ?? id.description))
        }
    }

    /// Brings a preset back that was removed.
    package func restorePreset(
        _ id: UniqueId, at moment: TimerMoment
    ) throws(Repository.Failure) -> Result<TimerPreset, TimerRefusal> {
        try change(at: moment, result: { $0.preset(id) }) { board in
            guard let preset = board.preset(id), preset.isHiddenInList else {
                return .failure(.presetIsGone(board.preset(id)?.setup.title ?? id.description))
            }
            if let refusal = board.refusal(ofNewPreset: preset.setup, most: settings.mostPresets) {
                return .failure(refusal)
            }
            return .success([.presetRestored(id)])
        }
    }
}
