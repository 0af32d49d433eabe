package import CounterModel
import Linux

// The words for a timer and for a preset, on screens and of commands.

// MARK: What a timer does

extension TimerReport {
    private var phase: TimerPhase { timer.phase(at: now).phase }

    /// Whether its lead-in is not over, so that it counts nothing yet.
    private var isBeginning: Bool { state.isActive && phase.kind == .leadIn }

    /// What it does now: `running`, `round 2 of 3`, `paused`, `ended 12 min ago`.
    package var activity: String {
        switch state {
        case .running: phase.words(of: timer.setup.rounds)
        case .ringing: timer.endDate.map { "ended \(Self.ago($0, now))" } ?? "ended"
        case .paused, .stopped, .completed: statusWord
        }
    }

    /// What is left of its present part, such as `4:32`; nil where nothing is.
    package var left: String? {
        state.isActive ? DurationText.clock(seconds: timer.phase(at: now).remainingSeconds) : nil
    }

    /// How much of its present part is over, 0...1000.
    package var permille: Int {
        1000 - timer.phase(at: now).remainingSeconds * 1000 / max(1, phase.seconds)
    }

    /// What is left of it: `4:32`, `begins in 0:02`; with several rounds of the present part and of all:
    /// `round 1:46, all 4:06`. nil where nothing is.
    package var leftText: String? {
        guard let left else { return nil }
        if isBeginning { return "begins in \(left)" }
        guard timer.setup.rounds > 1 else { return left }
        let part = if case .pause = phase.kind { "pause" } else { "round" }
        return "\(part) \(left), all \(DurationText.clock(seconds: timer.remainingSeconds(at: now)))"
    }

    /// What is left and what was counted, for one line: `Robins 4:32  12 in, 3 out`, `Robins begins in 0:02`.
    package var brief: String {
        "\(timer.setup.title) \(leftText ?? activity)" + (isBeginning ? "" : "  \(counted)")
    }

    package var alarm: String { "\(timer.setup.title) \(activity): \(counted)" }

    /// What became of it, in a sentence without a full stop.
    package var sentence: String {
        let name = timer.label.isEmpty ? "timer \(timer.number)" : "timer \(timer.number) '\(timer.label)'"
        switch state {
        case .running:
            let begin = isBeginning ? leftText.map { " \($0) and" } ?? "" : ""
            let end = timer.endDate.map { " runs until \($0.localTime(at: now))" } ?? ""
            return "\(name) (\(timer.setup.lengthText))\(begin)\(end)"
        case .paused: return "\(name) is paused, left: \(leftText ?? "0:00")"
        case .stopped: return "\(name) is \(timer.leftAt == nil ? "stopped" : "removed"): \(counted)"
        case .ringing: return "\(name) has ended: \(counted)"
        case .completed: return "\(name) is \(timer.leftAt == nil ? "acknowledged" : "removed"): \(counted)"
        }
    }

    /// An action on its button. A timer that stays in the list is ready: it starts, where others start again.
    package func title(of action: TimerAction) -> String {
        if action == .again { return timer.endAction == .preserve ? "Start" : "Start again" }
        return action.rawValue.prefix(1).uppercased() + action.rawValue.dropFirst()
    }

    /// How long ago something was, as `DurationText.AgeStyle.words`.
    static func ago(_ time: Timestamp, _ now: Timestamp) -> String {
        DurationText.age(seconds: age(of: time, now), .words)
    }

    private static func age(of time: Timestamp, _ now: Timestamp) -> Int {
        max(0, now.seconds - time.seconds)
    }

    /// When the words of an end that nobody has acknowledged change next.
    package static func agoChanges(_ time: Timestamp, after now: Timestamp) -> Timestamp {
        let age = age(of: time, now)
        return Timestamp(seconds: time.seconds + age + DurationText.seconds(untilChangeOf: age, .words))
    }
}

extension TimerPhase {
    fileprivate func words(of rounds: Int) -> String {
        switch kind {
        case .leadIn: "lead-in"
        case .round(let round): rounds > 1 ? "round \(round) of \(rounds)" : "running"
        case .pause(let round): "pause after \(round) of \(rounds)"
        }
    }
}

// MARK: What a timer has counted

extension TimerReport {
    /// What counting is called in its locations: up and down where all are tallies.
    private var words: FlowWords {
        let isOfAll = timer.locations == .all
        let counting = locations.filter { isOfAll ? !$0.isHidden : timer.locations.contains($0.id) }
        return counting.contains { $0.maxCapacity != nil } ? .occupancy : .tally
    }

    /// `12 in, 3 out`, of tallies `12 up, 3 down`.
    package var counted: String { words.text(result.totalIn, result.totalOut) }

    package var net: Int { result.net }

    /// What was counted in each of its locations, 0 too; of a timer of all locations in each that is in sight.
    var counts: [TimerCount] {
        let ids = timer.locations == .all ? locations.filter { !$0.isHidden }.map(\.id) : timer.locations.ids
        let further = result.locations.map(\.locationId).filter { !ids.contains($0) }
        return (ids + further).map { id in
            result.locations.first { $0.locationId == id } ?? TimerCount(locationId: id)
        }
    }

    /// What the sum is made of: each location where there are several, and then each round that has begun.
    var parts: [(name: String, count: TimerCount)] {
        let places = counts.count > 1 ? counts : []
        let rounds = timer.setup.rounds > 1 ? result.rounds : []
        return places.map { (locations.name(of: $0.locationId), $0) }
            + rounds.enumerated().map { ("round \($0 + 1)", $1) }
    }

    /// The parts of the sum, a line each; empty where there is one location and one round.
    package var partLines: [String] {
        let parts = parts.map { ($0.name.sanitised, $0.count) }
        let width = 2 + (parts.map { CharacterWidth.columns($0.0) }.max() ?? 0)
        return parts.map { name, count in
            let location = locations.first { $0.id == count.locationId }
            let own = location.map { FlowWords(capacity: $0.maxCapacity) } ?? words
            return "\(name.padded(to: width))\(own.text(count.totalIn, count.totalOut))  net \(count.net)"
        }
    }

    /// How long it counted, where it is over, and what was added: `counted 4:00 in 3 rounds, 1:00 added`. May be empty.
    package var time: String { state.isActive ? addedText : "counted \(countedText)" }

    /// How long it has counted and what was added: `4:00 in 3 rounds, 1:00 added`, `0:08 in 1 of 3 rounds`.
    var countedText: String {
        let begun =
            switch phase.kind {
            case .leadIn: 0
            case .round(let round), .pause(after: let round): round
            }
        let all = timer.setup.rounds
        let rounds = all > 1 ? " in \(begun < all ? "\(begun) of " : "")\(all) rounds" : ""
        let counted = DurationText.clock(seconds: timer.countedSeconds(at: now)) + rounds
        return addedText.isEmpty ? counted : "\(counted), \(addedText)"
    }

    /// `1:00 added`; empty where nothing was.
    private var addedText: String {
        timer.addedSeconds > 0 ? "\(DurationText.clock(seconds: timer.addedSeconds)) added" : ""
    }

    /// Where it counts; empty where there is only one location.
    package var places: String { locations.places(timer.locations) }
}

extension FlowWords {
    /// `12 in, 3 out`.
    func text(_ totalIn: Int, _ totalOut: Int) -> String { "\(totalIn) \(ins), \(totalOut) \(outs)" }
}

// MARK: What is asked of a timer

extension PresetReport {
    /// `5m, sound, lead-in, all locations`.
    package var facts: String {
        let setup = preset.setup
        return ([setup.lengthText, setup.mode.rawValue] + setup.words + [locations.places(setup.locations)])
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension [Location] {
    /// The name; the id of a location that is not there.
    func name(of id: Identifier) -> String { first { $0.id == id }?.name ?? id.text }

    func text(of places: TimerLocations, all: String = "all") -> String {
        places == .all ? all : places.ids.map(name(of:)).joined(separator: ", ")
    }

    /// The names of a timer's locations; empty where the journal has only one.
    fileprivate func places(_ places: TimerLocations) -> String {
        count < 2 ? "" : text(of: places, all: "all locations")
    }
}

extension TimerSetup {
    /// The length with its rounds: `5m`, `3 x 5m, 1m`.
    package var lengthText: String {
        let length = DurationText.short(seconds: seconds)
        guard rounds > 1 else { return length }
        let pause = pauseSeconds > 0 ? ", \(DurationText.short(seconds: pauseSeconds))" : ""
        return "\(rounds) x \(length)\(pause)"
    }
}
