/// A timer: the fold of its rows. What depends on the present time takes it as an argument, so that an end needs no row.
package struct TimerData: Identifiable, Hashable, Sendable {
    /// The random id.
    package let id: UniqueId
    /// The number by which people name it, from 1; unique in the list.
    package let number: Int
    /// What was asked for.
    package let setup: TimerSetup
    /// The preset that it was started from.
    package let presetId: UniqueId?
    /// Who started it.
    package let userId: String?
    /// When it was started.
    package let createdAt: Timestamp
    /// When somebody acknowledged its end; the first one.
    package private(set) var acknowledgedAt: Timestamp?
    /// When a user ended it before its time.
    package private(set) var stoppedAt: Timestamp?
    /// When it was removed or started again.
    package private(set) var leftAt: Timestamp?
    /// The parts of it, some of them extended.
    package private(set) var phases: [TimerPhase]
    /// Ended stretches in which it ran.
    private(set) var finished: [RunningInterval] = []
    /// The stretch in which it runs.
    private var current: Stretch?

    private struct Stretch: Hashable {
        let since: Timestamp
        /// How long the timer had run before, in microseconds.
        let elapsed: Int64
        /// Its row.
        let row: Position
        /// The journal whose clock measures it.
        let journal: Int64?
        /// The last setting of the clock before it, or the end of the stretch before.
        let after: Position

        /// When the timer ends, if it is not interrupted.
        func end(_ total: Int64) -> Timestamp { since + (total - elapsed) }

        /// When it ended by the clock before a setting; nil where it goes on. A clock that was set back by an unknown time, to
        /// before the stretch, has it begin again: what came before is known by the order of its rows alone.
        func end(before setting: ClockSetting, _ shift: Int64?) -> Timestamp? {
            guard let shift else {
                return journal == setting.journal && setting.begin < since ? since : nil
            }
            return setting.begin + (shift == .min ? .max : -shift)
        }
    }

    init(
        _ setup: TimerSetup, id: UniqueId, number: Int, presetId: UniqueId?, row: TimerRow,
        after: Position
    ) {
        self.id = id
        self.number = number
        self.setup = setup
        self.presetId = presetId
        userId = row.userId
        createdAt = row.timestamp
        phases = setup.phases
        current = Stretch(
            since: row.timestamp, elapsed: 0, row: row.position, journal: row.journal, after: after)
    }
}

// MARK: What is asked of it

extension TimerData {
    /// The label; may be empty.
    package var label: String { setup.label }
    /// The hours of a round.
    package var hours: Int { setup.hours }
    /// The minutes of a round beside its hours.
    package var minutes: Int { setup.minutesOfHour }
    /// The seconds of a round beside its minutes.
    package var seconds: Int { setup.secondsOfMinute }
    /// Whether its end may be heard.
    package var isSoundOn: Bool { setup.mode.isSoundOn }
    /// Whether the screen flashes at its end.
    package var isVibrationOn: Bool { setup.mode.isVibrationOn }
    /// What becomes of it at its end.
    package var endAction: EndAction { setup.endAction }
    /// Where it counts.
    package var locations: TimerLocations { setup.locations }

    /// Its whole length with lead-in, rounds and pauses, in microseconds.
    var total: Int64 { phases.reduce(0) { $0 + $1.length } }

    /// When it ends, or has ended by itself; nil while it is paused, and where a user stopped it.
    package var endDate: Timestamp? {
        if let current { return current.end(total) }
        return isComplete ? finished.last?.to : nil
    }

    private var isComplete: Bool { stoppedAt == nil && current == nil && elapsed >= total }

    /// How long it has run, in microseconds, without its present stretch.
    private var elapsed: Int64 { current?.elapsed ?? finished.last.map { $0.elapsed + $0.length } ?? 0 }

    /// How long it has run at a time, in microseconds, 0...`total`.
    func elapsed(at now: Timestamp) -> Int64 {
        guard let current else { return elapsed }
        return min(total, current.elapsed + max(0, now - current.since))
    }

    /// How far it has come.
    package func state(at now: Timestamp) -> TimerState {
        if stoppedAt != nil { return .stopped }
        guard current.map({ now >= $0.end(total) }) ?? isComplete else {
            return current == nil ? .paused : .running
        }
        return acknowledgedAt == nil && leftAt == nil ? .ringing : .completed
    }

    /// The seconds until its end, rounded up: the first second shows the whole duration.
    package func remainingSeconds(at now: Timestamp) -> Int {
        stoppedAt == nil ? Self.roundedUp(remaining(at: now)) : 0
    }

    /// In microseconds. A clock that was set back makes it longer, because the end is a time of day.
    private func remaining(at now: Timestamp) -> Int64 {
        current.map { max(0, $0.end(total) - now) } ?? total - elapsed
    }

    /// The part in which it is, with its remaining seconds; the last one where it has ended.
    package func phase(at now: Timestamp) -> (phase: TimerPhase, remainingSeconds: Int) {
        var (elapsed, index) = (elapsed(at: now), 0)
        while index < phases.count - 1, elapsed >= phases[index].length {
            elapsed -= phases[index].length
            index += 1
        }
        return (phases[index], stoppedAt == nil ? Self.roundedUp(phases[index].length - elapsed) : 0)
    }

    private static func roundedUp(_ microseconds: Int64) -> Int {
        Int(microseconds / 1_000_000) + (microseconds % 1_000_000 > 0 ? 1 : 0)
    }

    /// How long a discarded timer stays in the list: Start again is there that long. In microseconds.
    private static let discardedAfter: Int64 = 600_000_000

    /// Whether it is in the list.
    package func isListed(at now: Timestamp) -> Bool {
        leftAt == nil && leavesAt.map { now < $0 } ?? true
    }

    /// When it leaves the list by itself; nil where it does not.
    package var leavesAt: Timestamp? {
        guard leftAt == nil, endAction == .discard else { return nil }
        return (stoppedAt ?? acknowledgedAt).map { $0 + Self.discardedAfter }
    }
}

// MARK: What happens to it

extension TimerData {
    /// Applies a row of its own, after a setting of the clock. What is no transition is ignored.
    mutating func apply(_ row: TimerRow, after setting: Position) {
        let now = row.timestamp
        settle(at: now)
        switch row.content.event {
        case .paused: if transition(state(at: now), .pause) != nil { halt(at: now, by: row.position) }
        case .resumed:
            if transition(state(at: now), .resume) != nil {
                current = Stretch(
                    since: now, elapsed: elapsed, row: row.position, journal: row.journal,
                    after: max(setting, finished.last?.ended ?? setting))
            }
        case .stopped:
            if transition(state(at: now), .stop) != nil {
                halt(at: now, by: row.position)
                stoppedAt = now
            }
        case .acknowledged: if transition(state(at: now), .acknowledge) != nil { acknowledgedAt = now }
        case .removed: if transition(state(at: now), .remove) != nil { leave(at: now) }
        case .extended(_, let seconds): extend(by: Int64(seconds) * 1_000_000, at: now)
        case .started, .clockSet, .presetSaved, .presetHidden, .presetRestored: break
        }
    }

    /// Another timer has taken its place in the list.
    mutating func beReplaced(at now: Timestamp) {
        settle(at: now)
        if transition(state(at: now), .again) != nil { leave(at: now) }
    }

    private mutating func leave(at now: Timestamp) {
        if state(at: now) == .ringing { acknowledgedAt = now }
        leftAt = leftAt ?? now
    }

    /// The wall clock was set, by microseconds; nil where that is unknown. A stretch ends by the old clock, and another one
    /// begins by the new one. A stretch of another journal is measured on that journal's clock until this machine's is set.
    mutating func follow(_ setting: ClockSetting, shift: Int64?) {
        let isOwn = setting.journal == nil
        if let current, isOwn || current.journal == setting.journal,
            let before = current.end(before: setting, shift)
        {
            settle(at: before)
            if self.current != nil {
                halt(at: before, by: setting.position)
                self.current = Stretch(
                    since: setting.begin, elapsed: elapsed, row: setting.position, journal: setting.journal,
                    after: setting.position)
            }
        }
        for index in finished.indices where setting.begin < finished[index].to {
            if isOwn || finished[index].journal == setting.journal {
                finished[index].repeatedBy.append(setting)
            }
        }
    }

    /// Notes its end where it has come.
    private mutating func settle(at now: Timestamp) {
        if let current, now >= current.end(total) { halt(at: now) }
    }

    private mutating func halt(at now: Timestamp, by row: Position? = nil) {
        guard current != nil else { return }
        finished = runningIntervals(at: now)
        finished[finished.count - 1].ended = row
        current = nil
    }

    private mutating func extend(by length: Int64, at now: Timestamp) {
        guard [.running, .paused].contains(state(at: now)) else { return }
        var (elapsed, index) = (elapsed(at: now), 0)
        while index < phases.count - 1, elapsed >= phases[index].length {
            elapsed -= phases[index].length
            index += 1
        }
        phases[index].length += length
    }

    /// The stretches in which it has run, up to a time.
    package func runningIntervals(at now: Timestamp) -> [RunningInterval] {
        guard let current else { return finished }
        let ran = elapsed(at: now) - current.elapsed
        return finished + [
            RunningInterval(
                from: current.since, length: ran, elapsed: current.elapsed, journal: current.journal,
                after: current.after, begun: current.row)
        ]
    }

    /// When it will have run for so long; nil where it does not run, or has run longer before its present stretch.
    func time(ofElapsed moment: Int64) -> Timestamp? {
        current.flatMap { moment >= $0.elapsed ? $0.since + (moment - $0.elapsed) : nil }
    }
}

extension TimerData {
    /// The stretches in which it has counted up to a time: its running intervals without lead-in and pauses.
    package func windows(at now: Timestamp) -> [TimerWindow] {
        countedWindows(at: now).filter { $0.from < $0.to }
    }

    /// The windows of its entries: also those without a length, in which only the order of the journal puts entries.
    package func countedWindows(at now: Timestamp) -> [TimerWindow] {
        var windows: [TimerWindow] = []
        for interval in runningIntervals(at: now) {
            var begin: Int64 = 0
            let end = interval.elapsed + interval.length
            for phase in phases {
                let (from, limit) = (max(begin, interval.elapsed), begin + phase.length)
                begin = limit
                guard case .round(let round) = phase.kind, from < limit else { continue }
                // A part that is still to come has entries only if the interval has a last row.
                guard from <= end || interval.ended != nil else { continue }
                func time(_ elapsed: Int64) -> Timestamp { interval.from + (elapsed - interval.elapsed) }
                windows.append(
                    TimerWindow(
                        of: interval, round: round, from: time(from), to: time(min(limit, end)),
                        until: time(limit), besides: windows))
            }
        }
        return windows
    }
}
