import CounterModel
import Linux

/// What a timer has counted, in words.
package struct TimerResultTexts: Hashable, Sendable {
    /// `12 in, 3 out`, of tallies `12 up, 3 down`.
    package let counted: String
    /// `net 9`.
    package let net: String
    /// How long it counted, where it is over, and what was added: `counted 4:00 in 3 rounds, 1:00 added`. May be empty.
    package let time: String
    /// What it has counted in each location and in each round, a line each; empty where there is one of both.
    package let parts: [String]

    init(_ timer: TimerData, _ result: TimerResult, at now: Timestamp, locations: [Location]) {
        let words = timer.locations.words(among: locations)
        counted = words.text(result.totalIn, result.totalOut)
        net = "net \(result.net)"
        time = timer.isOpen(at: now) ? timer.addedText : "counted \(timer.countedText(at: now))"
        let parts = result.parts(of: timer, among: locations).map { ($0.name.sanitised, $0.count) }
        let width = 2 + (parts.map { CharacterWidth.columns($0.0) }.max() ?? 0)
        self.parts = parts.map { name, count in
            let location = locations.first { $0.id == count.locationId }
            let own = location.map { FlowWords(capacity: $0.maxCapacity) } ?? words
            return "\(name.padded(to: width))\(own.text(count.totalIn, count.totalOut))  net \(count.net)"
        }
    }
}

extension TimerLocations {
    /// What counting in them is called: up and down where all are tallies.
    func words(among all: [Location]) -> FlowWords {
        all.contains { $0.maxCapacity != nil && (self == .all ? !$0.isHidden : ids.contains($0.id)) }
            ? .occupancy : .tally
    }
}

extension FlowWords {
    /// `12 in, 3 out`.
    func text(_ totalIn: Int, _ totalOut: Int) -> String { "\(totalIn) \(ins), \(totalOut) \(outs)" }
}

extension TimerResult {
    /// What was counted in each of a timer's locations, 0 too; of a timer of all locations in each that is in sight.
    func counts(of timer: TimerData, among all: [Location]) -> [TimerCount] {
        let ids = timer.locations == .all ? all.filter { !$0.isHidden }.map(\.id) : timer.locations.ids
        let further = locations.map(\.locationId).filter { !ids.contains($0) }
        return (ids + further).map { id in
            locations.first { $0.locationId == id } ?? TimerCount(locationId: id)
        }
    }

    /// What the sum of a timer is made of: each location where there are several, and then each round that has begun.
    func parts(of timer: TimerData, among all: [Location]) -> [(name: String, count: TimerCount)] {
        let counts = counts(of: timer, among: all)
        let places = counts.count > 1 ? counts : []
        let rounds = timer.setup.rounds > 1 ? rounds : []
        return places.map { (all.name(of: $0.locationId), $0) }
            + rounds.enumerated().map { ("round \($0 + 1)", $1) }
    }
}

extension TimerData {
    func isOpen(at now: Timestamp) -> Bool { [.running, .paused].contains(state(at: now)) }

    /// What is left of it: `4:32`, `begins in 0:02`; with several rounds of the present part and of all:
    /// `round 1:46, all 4:06`. nil where nothing is.
    func leftText(at now: Timestamp) -> String? {
        guard isOpen(at: now) else { return nil }
        let (phase, seconds) = phase(at: now)
        let left = DurationText.clock(seconds: seconds)
        if phase.kind == .leadIn { return "begins in \(left)" }
        guard setup.rounds > 1 else { return left }
        let part = if case .pause = phase.kind { "pause" } else { "round" }
        return "\(part) \(left), all \(DurationText.clock(seconds: remainingSeconds(at: now)))"
    }

    /// How long it has counted and what was added: `4:00 in 3 rounds, 1:00 added`, `0:08 in 1 of 3 rounds`.
    func countedText(at now: Timestamp) -> String {
        let begun =
            switch phase(at: now).phase.kind {
            case .leadIn: 0
            case .round(let round), .pause(after: let round): round
            }
        let part = begun < setup.rounds ? "\(begun) of " : ""
        let rounds = setup.rounds > 1 ? " in \(part)\(setup.rounds) rounds" : ""
        let counted = DurationText.clock(seconds: countedSeconds(at: now)) + rounds
        return addedText.isEmpty ? counted : "\(counted), \(addedText)"
    }

    /// `1:00 added`; empty where nothing was.
    fileprivate var addedText: String {
        addedSeconds > 0 ? "\(DurationText.clock(seconds: addedSeconds)) added" : ""
    }
}
