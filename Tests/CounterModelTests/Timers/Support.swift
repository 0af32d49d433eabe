import CounterModel
import Linux
import Testing

/// Rows of timers in memory, with the rules of a journal.
final class MemoryRepository: TimerRepository {
    private(set) var rows: [TimerRow] = []

    func update(_ board: inout TimerBoard) {
        for row in rows where row.position > board.position { board.apply(row) }
    }

    func change(
        _ board: inout TimerBoard, by userId: String, at moment: TimerMoment,
        decide: (TimerBoard) -> Result<[TimerEvent], TimerRefusal>
    ) -> TimerRefusal? {
        func append(_ event: TimerEvent) {
            rows.append(
                TimerRow(
                    position: Position(Int64(rows.count + 1)), timestamp: moment.now, userId: userId,
                    content: TimerRowContent(event, clock: moment.clock)))
            update(&board)
        }
        update(&board)
        if board.isBehind(moment.clock) { append(.clockSet) }
        switch decide(board) {
        case .failure(let refusal): return refusal
        case .success(let events):
            events.forEach(append)
            return nil
        }
    }
}

/// A service with a clock that a test sets.
final class Bench {
    let repository = MemoryRepository()
    private(set) var service: TimerService<MemoryRepository>
    /// Real time, in microseconds.
    private(set) var realtime: Int64 = 1_800_000_000_000_000
    /// How far the wall clock is from where it began.
    private(set) var shift: Int64 = 0
    var bootId = "boot"

    init() { service = TimerService(repository, userId: "ada") }

    /// By the wall clock.
    var now: Timestamp { Timestamp(microseconds: realtime + shift) }
    var moment: TimerMoment {
        TimerMoment(now: now, clock: ClockReference(bootId: bootId, offset: shift))
    }

    var board: TimerBoard { service.board(at: moment) }

    func pass(_ duration: Duration) { realtime += duration.microseconds }

    func setClock(by duration: Duration) { shift += duration.microseconds }

    /// Another program, or the same after a crash: it knows only the rows.
    func restart() {
        service = TimerService(repository, userId: "ada")
        service.update()
    }

    private func result<Value>(_ body: () throws -> Value) -> Result<Value, TimerRefusal> {
        do {
            return .success(try body())
        } catch let refusal as TimerRefusal {
            return .failure(refusal)
        } catch { preconditionFailure("\(error)") }
    }

    @discardableResult
    func start(_ setup: TimerSetup) throws -> UniqueId { try service.start(setup, at: moment).id }

    @discardableResult
    func perform(_ action: TimerAction, _ id: UniqueId) -> Result<TimerData, TimerRefusal> {
        result { try service.perform(action, on: id, at: moment) }
    }

    func tryToStart(_ setup: TimerSetup, presetId: UniqueId? = nil) -> Result<TimerData, TimerRefusal> {
        result { try service.start(setup, presetId: presetId, at: moment) }
    }

    func extend(_ id: UniqueId, seconds: Int) -> Result<TimerData, TimerRefusal> {
        result { try service.extend(id, seconds: seconds, at: moment) }
    }

    func addPreset(_ setup: TimerSetup) -> Result<TimerPreset, TimerRefusal> {
        result { try service.addPreset(setup, at: moment) }
    }

    func editPreset(_ id: UniqueId, to setup: TimerSetup) -> Result<TimerPreset, TimerRefusal> {
        result { try service.editPreset(id, to: setup, at: moment) }
    }

    func hidePreset(_ id: UniqueId) -> Result<TimerPreset, TimerRefusal> {
        result { try service.hidePreset(id, at: moment) }
    }

    func restorePreset(_ id: UniqueId) -> Result<TimerPreset, TimerRefusal> {
        result { try service.restorePreset(id, at: moment) }
    }

    func followClock() { service.followClock(at: moment) }

    var ringing: [TimerData] { board.ringing(at: now) }

    var listed: [TimerData] { board.timers(at: now) }

    func timer(_ id: UniqueId) throws -> TimerData { try #require(board.timer(id)) }

    func remaining(_ id: UniqueId) throws -> Int { try timer(id).remainingSeconds(at: now) }

    func state(_ id: UniqueId) throws -> TimerState { try timer(id).state(at: now) }
}
