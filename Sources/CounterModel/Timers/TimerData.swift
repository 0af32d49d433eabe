/// A part of a timer: only its rounds count.
package struct TimerPhase: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case leadIn
        /// A round, from 1.
        case round(Int)
        case pause(after: Int)
    }

    package let kind: Kind
    var length: Duration

    init(_ kind: Kind, seconds: Int) {
        self.kind = kind
        length = .seconds(seconds)
    }

    package var seconds: Int { Int(length.components.seconds) }
}

/// A timer: the fold of its rows. What depends on the present time takes it as an argument, so that an end needs no row.
package struct TimerData: Identifiable, Hashable, Sendable {
    package let id: UniqueId
    /// The number by which people name it, from 1; unique in the list.
    package let number: Int
    package let setup: TimerSetup
    package let presetId: UniqueId?
    package let userId: String?
    package let createdAt: Timestamp
    /// When somebody acknowledged its end; the first one.
    package private(set) var acknowledgedAt: Timestamp?
    /// When a user ended it before its time.
    package private(set) var stoppedAt: Timestamp?
    package private(set) var leftAt: Timestamp?
    /// The parts of it, some of them extended.
    package private(set) var phases: [TimerPhase]
    private(set) var finished: [RunningInterval] = []
    /// The stretch in which it runs; its length is not known yet.
    private var current: RunningInterval?

    init(
        _ setup: TimerSetup, id: UniqueId, number: Int, presetId: UniqueId?, row: TimerRow,
        after: Position
    ) {
        (self.id, self.number, self.setup, self.presetId) = (id, number, setup, presetId)
        (userId, createdAt, phases) = (row.userId, row.timestamp, setup.phases)
        current = RunningInterval(
            from: row.timestamp, journal: row.journal, after: after, begun: row.position)
    }
}

// MARK: What is asked of it

extension TimerData {
    package var label: String { setup.label }
    package var isSoundOn: Bool { setup.mode.isSoundOn }
    package var isVibrationOn: Bool { setup.mode.isVibrationOn }
    package var endAction: EndAction { setup.endAction }
    package var locations: TimerLocations { setup.locations }

    /// How many seconds it has counted at a time: its rounds with what was added, without lead-in and pauses.
    package func countedSeconds(at now: Timestamp) -> Int {
        let elapsed = elapsed(at: now)
        let counted = parts.reduce(Duration.zero) { sum, part in
            guard case .round = part.phase.kind else { return sum }
            return sum + max(.zero, min(part.end, elapsed) - part.begin)
        }
        return Int((counted + .milliseconds(500)).components.seconds)
    }

    package var addedSeconds: Int {
        phases.reduce(0) { $0 + $1.seconds } - setup.phases.reduce(0) { $0 + $1.seconds }
    }

    /// Its whole length with lead-in, rounds and pauses.
    var total: Duration { phases.reduce(.zero) { $0 + $1.length } }

    /// When it ends, or has ended by itself; nil while it is paused, and where a user stopped it.
    package var endDate: Timestamp? {
        if let current { return current.end(total) }
        return isComplete ? finished.last?.to : nil
    }

    private var isComplete: Bool { stoppedAt == nil && current == nil && elapsed >= total }

    /// How long it has run without its present stretch.
    private var elapsed: Duration { current?.elapsed ?? finished.last?.ran ?? .zero }

    /// How long it has run at a time, 0...`total`.
    func elapsed(at now: Timestamp) -> Duration {
        guard let current else { return elapsed }
        return min(total, current.elapsed + max(.zero, now - current.from))
    }

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

    /// A clock that was set back makes it longer, because the end is a time of day.
    private func remaining(at now: Timestamp) -> Duration {
        current.map { max(.zero, $0.end(total) - now) } ?? total - elapsed
    }

    /// The part in which it is, with its remaining seconds; the last one where it has ended.
    package func phase(at now: Timestamp) -> (phase: TimerPhase, remainingSeconds: Int) {
        let (index, elapsed) = place(at: now)
        return (phases[index], stoppedAt == nil ? Self.roundedUp(phases[index].length - elapsed) : 0)
    }

    /// In which part it is, and how much of that is over.
    private func place(at now: Timestamp) -> (index: Int, elapsed: Duration) {
        let (parts, elapsed) = (parts, elapsed(at: now))
        let index = parts.firstIndex { elapsed < $0.end } ?? parts.count - 1
        return (index, elapsed - parts[index].begin)
    }

    /// Its parts, each with the time that the timer has run at its begin and at its end.
    private var parts: [(phase: TimerPhase, begin: Duration, end: Duration)] {
        var begin = Duration.zero
        return phases.map { phase in
            defer { begin += phase.length }
            return (phase, begin, begin + phase.length)
        }
    }

    private static func roundedUp(_ duration: Duration) -> Int {
        let (seconds, rest) = duration.components
        return Int(seconds) + (rest > 0 ? 1 : 0)
    }

    /// How long a discarded timer stays in the list: Start again is there that long.
    private static let discardedAfter = Duration.seconds(600)

    package func isListed(at now: Timestamp) -> Bool {
        leftAt == nil && leavesAt.map { now < $0 } ?? true
    }

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
        let state = state(at: now)
        // Among the rows of another journal the position of this one says nothing.
        let end = row.journal == current?.journal ? row.position : nil
        switch row.content.event {
        case .action(_, let action) where state.admits(action):
            switch action {
            case .pause: halt(at: now, by: end)
            case .resume:
                current = RunningInterval(
                    from: now, elapsed: elapsed, journal: row.journal,
                    after: max(setting, finished.last?.ended ?? setting), begun: row.position)
            case .stop:
                halt(at: now, by: end)
                stoppedAt = now
            case .acknowledge: acknowledgedAt = now
            case .remove: leave(at: now)
            case .again: break
            }
        case .extended(_, let seconds): extend(by: .seconds(seconds), at: now)
        case .action, .started, .clockSet, .presetSaved, .presetHidden, .presetRestored: break
        }
    }

    /// Another timer has taken its place in the list.
    mutating func beReplaced(at now: Timestamp) {
        settle(at: now)
        if state(at: now).admits(.again) { leave(at: now) }
    }

    private mutating func leave(at now: Timestamp) {
        if state(at: now) == .ringing { acknowledgedAt = now }
        leftAt = leftAt ?? now
    }

    /// The wall clock was set, by `shift`; nil where that is unknown. A stretch ends by the old clock, and another one
    /// begins by the new one. A stretch of another journal is measured on that journal's clock until this machine's is set.
    mutating func follow(_ setting: ClockSetting, shift: Duration?) {
        let isOwn = setting.journal == nil
        if let current, isOwn || current.journal == setting.journal,
            let before = current.end(before: setting, shift)
        {
            settle(at: before)
            if self.current != nil {
                halt(at: before, by: setting.position)
                self.current = RunningInterval(
                    from: setting.begin, elapsed: elapsed, journal: setting.journal, after: setting.position,
                    begun: setting.position)
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

    private mutating func extend(by length: Duration, at now: Timestamp) {
        guard state(at: now).isActive else { return }
        phases[place(at: now).index].length += length
    }

    /// The stretches in which it has run, up to a time.
    package func runningIntervals(at now: Timestamp) -> [RunningInterval] {
        guard var last = current else { return finished }
        last.length = elapsed(at: now) - last.elapsed
        return finished + [last]
    }

    /// When it will have run for so long; nil where it does not run, or has run longer before its present stretch.
    func time(ofElapsed moment: Duration) -> Timestamp? {
        current.flatMap { moment >= $0.elapsed ? $0.from + (moment - $0.elapsed) : nil }
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
            let end = interval.ran
            func time(_ elapsed: Duration) -> Timestamp { interval.from + (elapsed - interval.elapsed) }
            for (phase, begin, limit) in parts {
                let from = max(begin, interval.elapsed)
                guard case .round(let round) = phase.kind, from < limit else { continue }
                // A part that is still to come has entries only if the interval has a last row.
                guard from <= end || interval.ended != nil else { continue }
                windows.append(
                    TimerWindow(
                        of: interval, round: round, from: time(from), to: time(min(limit, end)),
                        until: time(limit), besides: windows))
            }
        }
        return windows
    }
}

/// What is announced once, at its moment, while a timer runs.
package struct TimerSignal: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A round begins, from 1; of a timer with a lead-in or several rounds.
        case roundBegan(Int)
        /// A round is over, and another one follows.
        case roundEnded(Int)
        /// A minute of a round is left.
        case lastMinute
        /// The timer is over; the twelve alerts begin.
        case ended
    }

    package let kind: Kind
    package let time: Timestamp

    package init(kind: Kind, time: Timestamp) { (self.kind, self.time) = (kind, time) }
}

extension TimerData {
    private static let minute = Duration.seconds(60)

    /// The signals that are still to come after a time; none where it does not run.
    package func signals(after now: Timestamp) -> [TimerSignal] {
        var signals: [TimerSignal] = []
        func add(_ kind: TimerSignal.Kind, at moment: Duration) {
            if let time = time(ofElapsed: moment), time > now {
                signals.append(TimerSignal(kind: kind, time: time))
            }
        }
        for (index, (phase, begin, end)) in parts.enumerated() {
            guard case .round(let round) = phase.kind else { continue }
            if index > 0 { add(.roundBegan(round), at: begin) }
            if setup.announcesLastMinute, phase.length > Self.minute {
                add(.lastMinute, at: end - Self.minute)
            }
            add(index == phases.count - 1 ? .ended : .roundEnded(round), at: end)
        }
        return signals
    }
}

// MARK: - States and actions

package enum TimerState: String, CaseIterable, Sendable {
    case running
    /// It was interrupted and can go on.
    case paused
    /// A user ended it before its time.
    case stopped
    /// It has come to its end, and nobody has acknowledged that.
    case ringing
    /// It has come to its end, which was acknowledged.
    case completed
}

package enum TimerAction: String, CaseIterable, Sendable {
    case pause, resume, stop, again, acknowledge, remove

    /// What was done to it, for people and in rows.
    var words: String {
        switch self {
        case .pause: "paused"
        case .resume: "resumed"
        case .stop: "stopped"
        case .again: "started again"
        case .acknowledge: "acknowledged"
        case .remove: "removed"
        }
    }
}

extension TimerState {
    package var isActive: Bool { self == .running || self == .paused }

    /// The possible actions, the usual one first. What they make of a timer in this state:
    ///
    /// | | pause | resume | stop | again | acknowledge | remove |
    /// |---|---|---|---|---|---|---|
    /// | running | paused | – | stopped | – | – | – |
    /// | paused | – | running | stopped | – | – | – |
    /// | stopped | – | – | – | running | – | leaves |
    /// | ringing | – | – | – | running | completed | leaves |
    /// | completed | – | – | – | running | – | leaves |
    package var actions: [TimerAction] {
        switch self {
        case .running: [.pause, .stop]
        case .paused: [.resume, .stop]
        case .stopped, .completed: [.again, .remove]
        case .ringing: [.acknowledge, .again, .remove]
        }
    }

    package func admits(_ action: TimerAction) -> Bool { actions.contains(action) }
}
